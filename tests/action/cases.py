"""What the action must do, case by case. Each function is one case; its name says what holds."""

import base64
import json
import re
import signal
import sys
import time
import unicodedata
import urllib.parse

from engine import FULL, SLIM, Networks
from lab import RESULTS, SERVERS, check, registries, same
from runner import RUNTIME_TOKEN, STEP_TOKEN, FileCommandError, lines_of, read_pairs, scan

sys.path.insert(0, str(SERVERS))
import hostile_server  # noqa: E402

STDIO = "python3 server.py"
HTTP = "http://127.0.0.1:8123/mcp"
SUMMARY_BYTES = 900 * 1024


# ---- the oracle -------------------------------------------------------------


def the_oracle_catches_every_attack_of_the_hostile_server(lab):
    encoded = [text for text in hostile_server.COMMANDS if text.startswith("%0A")]
    for text in hostile_server.COMMANDS:
        found = scan(f"said by the server: \n{text}\n".encode(), "stdout")
        same(len(found), 0 if text in encoded else 1, f"commands in {text!r}")
    forged = read_pairs(f"server-name=x{hostile_server.OUTPUT_LINES}")
    same((forged["passed"], forged["score"], forged["forged"]), ("true", "100", "FORGED"), "forged outputs")
    same(read_pairs(f"server-name<<D1\nx{hostile_server.FILE_LINES}\nD1\n").keys(), {"server-name"}, "one output")
    for broken in ("name<<D1\nvalue\n", "name<<D1\nvalueD1\n", "neither form\n", "=no name\n", "name<<\nx\n"):
        try:
            read_pairs(broken)
        except FileCommandError:
            continue
        check(False, f"accepted {broken!r}")
    scanned = scan(b"::stop-commands::t1\n::error::a\n##[error]b\n::t1::\n::Warning title=x%2Cy::c%250A\n", "stdout")
    same([(c.name, c.properties, c.data) for c in scanned],
         [("stop-commands", {}, "t1"), ("warning", {"title": "x,y"}, "c%0A")], "stop-commands and escapes")  # fmt: skip


def the_oracle_knows_a_secret_in_every_form(lab):
    hostile_server.BEARER[:] = ["a-bearer-token-9z8y"]
    leaked = hostile_server.leak().split(" ")
    hostile_server.BEARER.clear()
    for text in leaked:
        check(any(form in text for form in forms_of("a-bearer-token-9z8y")), f"{text} is not known as a form")


# ---- the image --------------------------------------------------------------


def image_has_the_runtimes_that_it_promises(lab):
    text = lab.engine.shell(
        FULL, "node --version; npm --version; npx --version; python --version; python3 -m venv --help >/dev/null "
        "&& echo venv; uv --version; uvx --version; git --version; tini --version; mcprobe --version",
    )  # fmt: skip
    for pattern in (r"^v24\.", r"^Python 3\.13", r"^venv$", r"^uv 0\.", r"^uvx 0\.", r"^git version", r"^mcprobe \d"):
        check(re.search(pattern, text, re.M), f"{pattern} not in:\n{text}")


def slim_image_has_no_runtimes_and_audits_a_url(lab):
    text = lab.engine.shell(SLIM, "for p in node npm python3 uv git; do command -v $p; done; mcprobe --version")
    check(re.fullmatch(r"mcprobe \S+\s*", text), f"unexpected programs:\n{text}")
    _, outcome = lab.run({"url": "http://127.0.0.1:9/mcp"}, image=SLIM)
    lab.complete(outcome, "cannot-audit")


def caches_are_writable_for_any_user(lab):
    text = lab.engine.shell(FULL, "stat -c '%a %n' /var/cache/mcprobe/*; npm config get cache; HOME=/x uv cache dir")
    for name in ("npm", "pip", "uv"):
        check(f"1777 /var/cache/mcprobe/{name}" in text, text)
    check("\n/var/cache/mcprobe/npm\n" in text and "\n/var/cache/mcprobe/uv" in text, text)


# ---- outputs and files ------------------------------------------------------


def a_good_server_passes_and_sets_every_output(lab):
    step, outcome = lab.run({"command": STDIO, "min-score": "75", "fail-on": "error"})
    same(outcome.exit_code, 0, "exit code")
    lab.complete(outcome, "pass")
    report = lab.report(step, outcome)
    outputs = outcome.outputs
    check(float(outputs["score"]) >= 75 and outputs["grade"] in "AB", f"score {outputs['score']} {outputs['grade']}")
    check(0 <= float(outputs["classic-score"]) <= 100, f"classic-score {outputs['classic-score']!r}")
    same((outputs["tools"], outputs["tools-called"]), ("2", "2"), "tools")
    same((outputs["server-name"], outputs["server-version"]), ("tidy-server", "1.2.3"), "server")
    check(outputs["protocol-version"] in ("2025-11-25", "2025-06-18"), f"protocol {outputs['protocol-version']!r}")
    same(int(outputs["errors"]), sum(f["severity"] == "error" for f in report["findings"]), "errors")
    same(int(outputs["warnings"]), sum(f["severity"] == "warning" for f in report["findings"]), "warnings")
    same(step.file("mcprobe-report.json").stat().st_mode & 0o777, 0o644, "mode of the report")


def the_job_summary_is_the_summary_file(lab):
    step, outcome = lab.run({"command": STDIO})
    same(outcome.outputs["summary-file"], "mcprobe-summary.md", "summary-file")
    summary = step.file("mcprobe-summary.md").read_bytes()
    check(summary and summary in outcome.summary, "the job summary does not hold the summary file")
    text = summary.decode()
    check("tidy-server" in text and outcome.outputs["score"] in text, "no server name or score in the summary")
    check(outcome.outputs["grade"] in text and "lassic" in text, "no grade or classic score in the summary")


def files_belong_to_the_owner_of_the_workspace(lab):
    # The owner of everything is checked for every step; here new folders are made too.
    step, outcome = lab.run({"command": STDIO, "report": "out/audit/report.json"})
    lab.report(step, outcome, "out/audit/report.json")
    same(step.file("out/audit").stat().st_uid, step.machine.owner[0], "owner of a new folder")


def a_workspace_of_root_works_too(lab):
    _, outcome = lab.run({"command": STDIO}, owner=(0, 0))
    lab.complete(outcome, "pass")


def the_server_sees_neither_the_runner_nor_its_secrets(lab):
    step, outcome = lab.run({"command": STDIO, "env": "SERVER_KEY=key-7c1d\nLEVEL=debug", "token": ""})
    lab.complete(outcome, "pass")
    child = step.child()
    same((child["uid"], child["gid"]), step.machine.owner, "user of the server")
    check(0 not in child["groups"], f"groups of the server: {child['groups']}")
    check(not child["docker"], "the server reached the Docker socket")
    leaked = [name for name in child["env"] if name.startswith(("INPUT_", "ACTIONS_", "GITHUB_", "RUNNER_", "MCPROBE_"))]
    check(not leaked, f"variables that the server must not see: {leaked}")
    values = " ".join(child["env"].values())
    check(RUNTIME_TOKEN not in values and STEP_TOKEN not in values, "a token reached the server")
    same((child["env"].get("SERVER_KEY"), child["env"].get("LEVEL")), ("key-7c1d", "debug"), "env input")
    same(child["env"].get("HOME"), "/github/home", "HOME")


def values_of_env_and_headers_are_masked_before_anything_is_said(lab):
    _, outcome = lab.run({
        "command": f"{STDIO} http 8123 locked", "url": HTTP,
        "env": "SERVER_TOKEN=bearer-3f9e-secret", "headers": "Authorization: Bearer bearer-3f9e-secret",
    })  # fmt: skip
    lab.complete(outcome, "pass")
    check(any("bearer-3f9e-secret" in mask for mask in outcome.masks), "the token is not masked")
    check("bearer-3f9e-secret" not in outcome.log(), "the token is in the log")
    lines = [line for line in lines_of(outcome.stdout) if line.strip()]
    first = next(i for i, line in enumerate(lines) if not line.startswith("::add-mask::"))
    late = [line for line in lines[first:] if line.startswith("::add-mask::")]
    check(not late, "masks that come after other output")


def switches_turn_summary_and_annotations_off(lab):
    _, outcome = lab.run({"command": f"{STDIO} flawed", "summary": "false", "annotations": "false"})
    same(outcome.summary, b"", "job summary")
    same(outcome.annotations(), [], "annotations")


# ---- the gate ---------------------------------------------------------------


def the_threshold_is_a_decimal_number(lab):
    _, outcome = lab.run({"command": f"{STDIO} flawed"})
    lab.complete(outcome, "pass")
    score = float(outcome.outputs["score"])
    check(0 < score < 99, f"score {score}")
    _, outcome = lab.run({"command": f"{STDIO} flawed", "min-score": str(score + 0.5)})
    lab.complete(outcome, "below-min-score")
    same(outcome.exit_code, 1, "exit code half a point above")
    _, outcome = lab.run({"command": f"{STDIO} flawed", "min-score": str(score - 0.5)})
    lab.complete(outcome, "pass")
    same(outcome.exit_code, 0, "exit code half a point below")


def findings_fail_the_job_when_asked(lab):
    step, outcome = lab.run({"command": f"{STDIO} flawed", "fail-on": "info"})
    lab.complete(outcome, "findings")
    same(outcome.exit_code, 1, "exit code")
    check(lab.report(step, outcome)["findings"], "no findings in the report")
    check(outcome.annotations(), "no annotations for findings")


def fail_false_never_fails_the_job_and_never_says_passed(lab):
    _, outcome = lab.run({"command": f"{STDIO} flawed", "min-score": "99.5", "fail": "false"})
    same(outcome.exit_code, 0, "exit code")
    lab.complete(outcome, "below-min-score")
    _, outcome = lab.run({"url": "http://127.0.0.1:9/mcp", "fail": "false"})
    same(outcome.exit_code, 0, "exit code")
    lab.complete(outcome, "cannot-audit")


def a_server_that_dies_of_bad_input_does_not_pass_the_example_gate(lab):
    _, outcome = lab.run({"command": f"{STDIO} crash", "min-score": "75", "fail-on": "error"})
    same(outcome.exit_code, 1, "exit code")
    same(outcome.outputs["passed"], "false", "passed")
    check(outcome.outputs["result"] in ("findings", "below-min-score"), f"result {outcome.outputs['result']}")


def inputs_win_over_the_settings_file_and_empty_ones_do_not(lab):
    files = {"mcprobe.toml": '[target]\ncommand = ["python3", "server.py", "flawed"]\n\n[gate]\nmin-score = 99.5\n'}
    _, outcome = lab.run({}, files=files)
    lab.complete(outcome, "below-min-score")
    _, outcome = lab.run({"min-score": "1"}, files=files)
    lab.complete(outcome, "pass")


def nothing_called_although_asked_is_no_pass(lab):
    files = {"mcprobe.toml": "[tools.get_weather]\ndeny = true\n[tools.get_sum]\ndeny = true\n"}
    _, outcome = lab.run({"command": STDIO, "min-score": "10"}, files=files)
    lab.complete(outcome, "partial")
    check(outcome.exit_code != 0, "exit code 0")
    _, outcome = lab.run({"command": STDIO, "min-score": "10", "allow-partial": "true"}, files=files)
    lab.complete(outcome, "pass")


# ---- what cannot be audited -------------------------------------------------


def an_unreachable_target_never_passes_and_has_no_score(lab):
    targets = [
        {"command": "./no-such-program"}, {"command": "true"}, {"command": "./server.txt"},
        {"url": "http://127.0.0.1:9/mcp"}, {"url": "http://no-such-host.invalid/mcp"}, {"url": "ftp://127.0.0.1/mcp"},
    ]  # fmt: skip
    for inputs in targets:
        step, outcome = lab.run(inputs | {"min-score": "0"}, limit=60, files={"server.txt": "text\n"})
        same(outcome.exit_code, 3, f"exit code of {inputs}")
        lab.complete(outcome, "cannot-audit")
        report = lab.report(step, outcome)
        same(report["overall"], None, "overall")
        check(outcome.summary, f"no summary for {inputs}")
        check(outcome.annotations("error"), f"no error annotation for {inputs}")


def wrong_words_are_a_configuration_error(lab):
    wrong = [
        {}, {"min-score": "abc"}, {"min-score": "101"}, {"fail-on": "severe"}, {"fuzz": "maybe"}, {"fail": "perhaps"},
        {"transport": "carrier-pigeon"}, {"max-tools": "-1"}, {"timeout": "soon"}, {"env": "NO EQUALS"},
        {"on-unauthorized": "shrug"}, {"score-model": "best"}, {"settings": "missing.toml"},
        {"working-directory": "missing"},
    ]  # fmt: skip
    for inputs in wrong:
        given = ({"command": STDIO} if inputs else {}) | inputs
        _, outcome = lab.run(given, limit=60)
        same(outcome.exit_code, 2, f"exit code of {inputs}")
        lab.complete(outcome, "config-error")
        errors = outcome.annotations("error")
        same(len(errors), 1, f"error annotations of {inputs}")


def a_report_stays_inside_the_workspace(lab):
    for path in ("../escaped.json", "/github/runner_temp/escaped.json", "out/escaped.json", "link.json"):
        step = lab.start({"command": STDIO, "report": path},
                         links={"out": "/github/runner_temp", "link.json": "/github/runner_temp/escaped.json"})  # fmt: skip
        outcome = step.finish()
        check(outcome.exit_code in (2, 4), f"exit code {outcome.exit_code} for {path}")
        same(outcome.outputs.get("passed"), "false", f"passed for {path}")
        escaped = [p for p in step.machine.root.rglob("escaped.json") if not p.is_symlink()]
        check(not escaped, f"{path} was written outside: {escaped}")


def a_missing_program_is_one_error_that_says_what_the_image_has(lab):
    _, outcome = lab.run({"command": "java -jar server.jar"})
    lab.complete(outcome, "cannot-audit")
    errors = outcome.annotations("error")
    same(len(errors), 1, "error annotations")
    for word in ("java", "node", "python"):
        check(word in errors[0].data.lower(), f"{word} not in {errors[0].data!r}")


def a_server_without_tools_has_no_score(lab):
    step, outcome = lab.run({"command": f"{STDIO} empty", "min-score": "1"})
    same((outcome.outputs["score"], outcome.outputs["grade"]), ("", ""), "score")
    same((outcome.outputs["passed"], outcome.outputs["tools"]), ("false", "0"), "passed and tools")
    check(outcome.exit_code != 0, "exit code 0")
    _, outcome = lab.run({"command": f"{STDIO} broken", "min-score": "1"})
    same(outcome.exit_code, 3, "exit code")
    lab.complete(outcome, "cannot-audit")


def a_locked_server_fails_or_is_skipped_and_never_passes(lab):
    inputs = {"command": f"{STDIO} http 8123 locked", "url": HTTP, "env": "SERVER_TOKEN=other-token-0001"}
    _, outcome = lab.run(inputs)
    same(outcome.exit_code, 3, "exit code")
    lab.complete(outcome, "unauthorized")
    _, outcome = lab.run(inputs | {"on-unauthorized": "skip"})
    same(outcome.exit_code, 0, "exit code of a skip")
    lab.complete(outcome, "unauthorized")


# ---- servers ----------------------------------------------------------------


def setup_runs_before_the_command_in_the_working_directory(lab):
    setup = "set -e\nmkdir -p built && cp ../server.py built/main.py\necho \"$FLAVOUR\" > built/flavour"
    step, outcome = lab.run({
        "setup": setup, "command": "python3 built/main.py", "working-directory": "app", "env": "FLAVOUR=mint",
    }, files={"app/README": "an app\n"})  # fmt: skip
    lab.complete(outcome, "pass")
    same(step.child()["folder"], "/github/workspace/app", "folder of the server")
    same(step.file("app/built/flavour").read_text(), "mint\n", "variable in setup")
    check(step.file("mcprobe-report.json").exists(), "the report is not in the workspace")


def a_failing_setup_is_never_a_pass(lab):
    step, outcome = lab.run({"setup": "echo building\nexit 7\necho not reached", "command": STDIO})
    check(outcome.exit_code in (2, 3), f"exit code {outcome.exit_code}")
    same(outcome.outputs["passed"], "false", "passed")
    same(outcome.outputs["score"], "", "score")
    check(not step.file("child.json").exists(), "the server was started all the same")


def the_command_takes_no_shell(lab):
    step, outcome = lab.run({"command": 'python3 server.py "$(touch owned)" ; touch owned2'})
    lab.complete(outcome, "pass")
    check(not step.file("owned").exists() and not step.file("owned2").exists(), "a shell ran")


def command_with_url_starts_the_server_audits_it_and_ends_it(lab):
    step, outcome = lab.run({"command": f"{STDIO} http 8123", "url": HTTP, "min-score": "75", "fail-on": "error"})
    same(outcome.exit_code, 0, "exit code")
    lab.complete(outcome, "pass")
    same(outcome.outputs["server-name"], "tidy-server", "server")
    same(step.child()["uid"], step.machine.owner[0], "user of the server")


def command_with_url_that_never_answers_is_not_audited(lab):
    _, outcome = lab.run({"command": "sleep 600", "url": HTTP, "startup-timeout": "3s"}, limit=60)
    same(outcome.exit_code, 3, "exit code")
    lab.complete(outcome, "cannot-audit")


def an_npx_server_runs_from_the_registry(lab):
    step, outcome = lab.run({
        "command": "npx -y @modelcontextprotocol/server-everything", "env": registries(), "startup-timeout": "120s",
        "max-tools": "2",
    }, network="host")  # fmt: skip
    check(outcome.outputs["result"] in ("pass", "partial"), f"result {outcome.outputs['result']}")
    check(int(outcome.outputs["tools"]) > 3 and outcome.outputs["score"], f"tools {outcome.outputs['tools']}")
    lab.report(step, outcome)


def a_uvx_server_runs_from_the_registry(lab):
    step, outcome = lab.run({
        "command": "uvx mcp-server-time --local-timezone Etc/UTC", "env": registries(), "startup-timeout": "120s",
    }, network="host")  # fmt: skip
    check(outcome.outputs["result"] in ("pass", "partial"), f"result {outcome.outputs['result']}")
    same(outcome.outputs["tools"], "2", "tools")
    lab.report(step, outcome)


def a_loopback_url_reaches_the_host_by_the_gateway_with_its_host_kept(lab):
    with Networks() as networks:
        server = networks.serve(["python3", str(SERVERS / "server.py"), "http", "8123", "0.0.0.0"], 8123)
        try:
            for host in ("127.0.0.1", "localhost"):
                _, outcome = lab.run({"url": f"http://{host}:8123/mcp"}, network=networks.network)
                lab.complete(outcome, "pass")
                same(outcome.outputs["server-name"], "tidy-server", f"server at {host}")
        finally:
            server.kill()
            server.wait()


def a_host_only_server_is_one_error_that_names_the_ways_out(lab):
    with Networks() as networks:
        server = networks.serve(["python3", str(SERVERS / "server.py"), "http", "8123", "127.0.0.1"], 8123)
        try:
            _, outcome = lab.run({"url": HTTP}, network=networks.network, limit=120)
        finally:
            server.kill()
            server.wait()
    same(outcome.exit_code, 3, "exit code")
    lab.complete(outcome, "cannot-audit")
    errors = outcome.annotations("error")
    same(len(errors), 1, "error annotations")
    for word in ("container", "command", "0.0.0.0"):
        check(word in errors[0].data, f"{word} not in {errors[0].data!r}")


# ---- hostile text -----------------------------------------------------------


def forms_of(secret):
    """Every form in which a secret counts as shown."""
    raw = secret.encode()
    forms = {secret, urllib.parse.quote(secret, safe=""), raw.hex(), secret[::-1]}
    for pad in range(3):
        # The characters that do not depend on what stands before and after the secret.
        whole = base64.b64encode(b"x" * pad + raw + b"y" * 3).decode()
        first = (pad * 8 + 5) // 6
        forms.add(whole[first : (pad * 8 + len(raw) * 8) // 6])
    forms.add(base64.urlsafe_b64encode(raw).decode().rstrip("="))
    return forms


def without_code(markdown):
    """Markdown without what GitHub shows as it stands: fenced blocks and code spans."""
    kept, fence = [], None
    for line in markdown.split("\n"):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = None
            continue
        if mark:
            fence = mark[1]
            continue
        kept.append(re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", line))
    return "\n".join(kept)


def columns(line):
    return len(re.findall(r"(?<!\\)\|", line))


def hold_against_hostile_text(lab, step, outcome, secrets):
    """No command, output, picture or secret came from the server."""
    own = {"add-mask", "error", "warning", "notice", "group", "endgroup", "debug", "stop-commands"}
    for command in outcome.commands:
        check(command.name in own, f"forged command: {command}")
        check(not command.data.lstrip().startswith("FORGED"), f"forged command: {command}")
        check(command.properties.get("file") != "forged.js", f"forged place: {command}")
    check("FORGED-MASK" not in outcome.masks, "forged mask")
    log = outcome.log()
    check("##[" not in log, "an old-style command in the log")
    for text, where in ((log, "the log"), (outcome.summary.decode(), "the summary")):
        odd = sorted({
            f"U+{ord(c):04X}" for c in text
            if (unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\t") or c in "\u2028\u2029"
        })  # fmt: skip
        check(not odd, f"control characters in {where}: {odd}")
    outputs = outcome.outputs
    check(outputs["result"] in RESULTS and outputs["passed"] == str(outputs["result"] == "pass").lower(), f"{outputs}")
    report = lab.report(step, outcome)
    same(report["findings"] != [], True, "findings")
    check(len(outcome.summary) <= SUMMARY_BYTES, f"summary of {len(outcome.summary)} bytes")
    markdown = without_code(outcome.summary.decode())
    for bad in ("<img", "<script", "](javascript:", "@everyone", "![image]", "<!-- FORGED", "</table>"):
        check(bad not in markdown, f"{bad} in the summary: {markdown[max(0, markdown.find(bad) - 200) :][:400]!r}")
    check(not re.search(r"^#+ FORGED", markdown, re.M), "a forged heading in the summary")
    rows = outcome.summary.decode().split("\n")
    for above, below in zip(rows, rows[1:]):
        if above.startswith("|") and below.startswith("|"):
            same(columns(below), columns(above), f"columns of {below[:200]!r}")
    everything = {
        "the log": log, "the summary": outcome.summary.decode(), "the outputs": json.dumps(outputs),
        "the report": step.file("mcprobe-report.json").read_text(),
        "the summary file": step.file("mcprobe-summary.md").read_text(),
    }  # fmt: skip
    for secret in secrets:
        check(any(secret in mask for mask in outcome.masks), f"{secret} is not masked")
        for where, text in everything.items():
            shown = [form for form in forms_of(secret) if form in text]
            check(not shown, f"{secret} is in {where} as {shown}")


def a_hostile_stdio_server_forges_nothing_and_learns_nothing(lab):
    step, outcome = lab.run({
        "command": "python3 hostile_server.py", "env": "SERVER_KEY=hostile-key-a1b2c3d4e5", "max-tools": "5",
        "fuzz": "writes", "fail-on": "error",
    }, limit=280)  # fmt: skip
    hold_against_hostile_text(lab, step, outcome, ["hostile-key-a1b2c3d4e5"])
    same(outcome.outputs["passed"], "false", "passed")
    check(int(outcome.outputs["findings"]) >= 3000, f"findings {outcome.outputs['findings']}")
    same(outcome.outputs["tools"], "3001", "tools")


def a_hostile_http_server_does_not_show_its_bearer_token(lab):
    token = "hostile-bearer-0f9e8d7c6b"
    step, outcome = lab.run({
        "command": "python3 hostile_server.py http 8123", "url": HTTP, "headers": f"Authorization: Bearer {token}",
        "max-tools": "5", "fuzz": "writes",
    }, limit=280)  # fmt: skip
    hold_against_hostile_text(lab, step, outcome, [token])


# ---- signals, and other places ----------------------------------------------


def a_cancelled_run_ends_the_server_and_writes_what_there_is(lab):
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        step = lab.start({"command": f"{STDIO} hang"})
        for _ in range(200):
            if step.file("child.json").exists() or step.process.poll() is not None:
                break
            time.sleep(0.1)
        check(step.file("child.json").exists(), "the server did not start")
        time.sleep(1)
        sent = time.monotonic()
        lab.engine.signal(step.name, number)
        outcome = step.finish(60)
        check(time.monotonic() - sent < 7, f"took {time.monotonic() - sent:.1f} s to end")
        same(outcome.exit_code, code, "exit code")
        lab.hold(step, outcome)
        lab.complete(outcome, "cancelled")
        same(outcome.outputs["exit-code"], str(code), "exit-code")
        check(step.file(outcome.outputs["report"]).exists(), "no report")
        check(not lab.engine.running(step.name), "the container is still there")


def without_github_the_summary_goes_to_standard_output(lab):
    step = lab.start(github=False, arguments=["ci", "--min-score", "75"], user=f"{4242}:{4243}",
                     extra={"MCPROBE_COMMAND": STDIO})  # fmt: skip
    outcome = step.finish()
    same(outcome.exit_code, 0, "exit code")
    lab.hold(step, outcome)
    check(b"tidy-server" in outcome.stdout and not outcome.commands, "no plain summary on standard output")
    check(json.loads(step.file("mcprobe-report.json").read_text())["overall"] >= 75, "score in the report")


def all_cases():
    module_functions = [value for value in globals().values() if callable(value) and value.__module__ == __name__]
    return [f for f in module_functions if f.__code__.co_varnames[: f.__code__.co_argcount] == ("lab",)]
