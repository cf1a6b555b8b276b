"""Holds the expectations of a case against one run of mcprobe.

Each judge takes a `Line`, a `Run` and the `Words` and returns a list of
sentences, one for each way in which the run is not what the line says.
"""
import base64
import json
import re
import urllib.parse
from dataclasses import dataclass, field

CANNOT_AUDIT = 3
USAGE = 2
# Exit codes by which a program says how the audit went; all else is its own failure.
ORDERLY_EXITS = (0, 1, USAGE, CANNOT_AUDIT)
PANIC = re.compile(r"panicked at|stack backtrace|RUST_BACKTRACE|thread '[^']*' has overflowed")
SILENCE = re.compile(r"did not answer|no answer|not answered|timed out|is silent", re.I)
# Characters that a reader cannot see: zero width, direction, tags, selectors.
HIDDEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufe00-\ufe0e\U000e0000-\U000e01ef]"
)
# The commands that mcprobe itself may print for a workflow runner.
OWN_COMMAND = re.compile(r"^::(error|warning|notice|group|endgroup|add-mask|stop-commands)\b")


@dataclass
class Words:
    """What the words of the cases mean for this program (about.json)."""

    about: dict[str, list[str]]
    quality: list[str]
    conditions: dict[str, bool]

    @classmethod
    def read(cls, paths):
        words = cls({}, [], {})
        for path in paths:
            with open(path, encoding="utf-8") as file:
                words.add(json.load(file))
        return words

    def add(self, more):
        """Later files add words and replace those they share."""
        self.about.update(more.get("about", {}))
        self.conditions.update(more.get("conditions", {}))
        self.quality = more.get("quality", self.quality)


@dataclass
class Picture:
    """One output of mcprobe for the same target in another format."""

    format: str
    exit: int | None
    stdout: str
    stderr: str


@dataclass
class Run:
    """One run of mcprobe and all that is known of it afterwards."""

    kind: str
    exit: int | None
    stdout: str
    stderr: str
    seconds: float
    limit: int
    report: dict | None = None
    report_problem: str = ""
    gate_exit: int | None = None
    left: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    pictures: list[Picture] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def outputs(self):
        """Every text that came out, with its name."""
        yield "JSON output", self.stdout
        yield "stderr", self.stderr
        for picture in self.pictures:
            yield f"{picture.format} output", picture.stdout
            yield f"stderr with {picture.format} output", picture.stderr
        for name, text in self.files.items():
            if name.startswith("mcprobe "):
                yield name, text

    def findings(self):
        return self.report.get("findings") or [] if self.report else []


def judge(line, run, words):
    """All sentences about one line."""
    return JUDGES[line.kind](line, run, words)


def judge_always(run):
    """What holds for every run, whatever its case expects."""
    if run.exit is None:
        return [f"expected an end within {run.limit} s, came none (killed)"]
    problems = own_crash(run)
    if run.report is None and not is_usage_error(run):
        problems.append(f"expected a complete JSON report, came {run.report_problem}")
    if run.report is not None and run.exit not in (0, 1):
        problems += no_score(run)
    if run.left:
        problems.append(f"expected no process left, came {', '.join(run.left)}")
    for picture in run.pictures:
        if picture.exit != run.exit:
            problems.append(f"expected exit {run.exit} for {picture.format} output too, came {picture.exit}")
    return problems


def is_usage_error(run):
    """A target that is refused as a word: nothing was audited, one line says so."""
    return run.exit == USAGE and not run.stdout.strip() and len(run.stderr.strip().splitlines()) == 1


def judge_connect(line, run, words):
    if run.kind == "check":
        return []
    state = (run.report or {}).get("probeState")
    connected = state in ("ok", "no-tools")
    if connected == (line.word == "yes"):
        return [] if line.word == "no" or run.exit in (0, 1) else [f"expected exit 0 or 1, came {run.exit}"]
    return [] if is_usage_error(run) else [f"expected {line.text}, came probe state {state}"]


def judge_tools(line, run, words):
    came = ((run.report or {}).get("counts") or {}).get("tools")
    return [] if came == line.number else [f"expected {line.number} tools, came {came}"]


def judge_report(line, run, words):
    problem = unknown_words(line, words)
    if problem:
        return [problem]
    if "when" in line.filters and not words.conditions[line.filters["when"]]:
        return []
    if matches(line, run, words):
        return []
    return [f"expected {line.text}, came {shown(run.findings())}"]


def judge_absent(line, run, words):
    if line.word == "outcome":
        return absent_outcome(line, run)
    if line.word:
        return OWN_FAILURE_JUDGES[line.word](run)
    problem = unknown_words(line, words)
    if problem:
        return [problem]
    found = matches(line, run, words)
    if "about" not in line.filters:
        found = [finding for finding in found if finding["code"] not in words.quality]
    return [f"expected {line.text}, came {shown(found)}"] if found else []


def unknown_words(line, words):
    """A word that the data file does not have is a failure, never a pass."""
    about = line.filters.get("about")
    if about is not None and about not in words.about:
        return f"no rule is known for about={about} (add it to about.json)"
    when = line.filters.get("when")
    if when is not None and when not in words.conditions:
        return f"nothing is known of when={when} (add it to about.json)"
    phase = line.filters.get("phase")
    if phase not in (None, "call", "start"):
        return f"unknown phase={phase}"
    return None


def matches(line, run, words):
    """The findings that a line speaks of."""
    findings = run.findings()
    about = line.filters.get("about")
    codes = words.about.get(about) if about is not None else None
    if codes and "coverage.skipped" in codes:
        findings = findings + skipped(run)
    return [finding for finding in findings if fits(line, finding, codes, run)]


def skipped(run):
    """Tools that were not called, as notes: the report lists them under `coverage`."""
    coverage = (run.report or {}).get("coverage") or {}
    note = {"code": "coverage.skipped", "family": "call", "severity": "info"}
    return [note | {"message": entry.get("reason", ""), "location": {"tool": entry.get("tool")}}
            for entry in coverage.get("skipped", [])]


def fits(line, finding, codes, run):
    filters = line.filters
    where = finding.get("location") or {}
    return (
        level_fits(line.level, finding)
        and (codes is None or finding["code"] in codes)
        and ("tool" not in filters or where.get("tool") == filters["tool"])
        and ("path" not in filters or is_on_path(where, filters["path"]))
        and ("code" not in filters or names_exit_code(finding, filters["code"]))
        and ("phase" not in filters or phase_of(finding) == filters["phase"])
    )


def level_fits(level, finding):
    severity = finding["severity"]
    is_note = severity == "info" and finding["family"] != "lint"
    return {
        "error": severity == "error",
        "error+": severity == "error",
        "warn": severity == "warning",
        "warn+": severity in ("warning", "error"),
        "note": is_note,
        "any": severity in ("warning", "error") or is_note,
    }[level]


def is_on_path(where, name):
    """Whether a location is at, or below, the property of this name."""
    step = "/properties/" + name.replace("~", "~0").replace("/", "~1")
    return where.get("param") == name or step + "/" in (where.get("pointer") or "") + "/"


def names_exit_code(finding, code):
    text = f"{finding.get('message', '')} {finding.get('why', '')}"
    return re.search(rf"\b(?:code|status) {re.escape(code)}\b", text) is not None


def phase_of(finding):
    """Findings about calls name the tool that was called."""
    return "call" if (finding.get("location") or {}).get("tool") else "start"


def absent_outcome(line, run):
    outcome, qualifier = line.words
    if outcome not in outcomes_of(run):
        return []
    if qualifier == "with full score" and (run.report or {}).get("overall") is None:
        return []
    return [f"expected {line.text}, came exit {run.exit}"]


def outcomes_of(run):
    """What a run says by its exit code (a set of at most one)."""
    return {0: {"pass"}, 1: {"fail"}, CANNOT_AUDIT: {"cannot-audit"}}.get(run.exit, set())


def judge_outcome(line, run, words):
    if "cannot-audit" in line.words and is_usage_error(run):
        run.notes.append(f"refused as a usage error, without JSON: {run.stderr.strip()}")
        return []
    if not outcomes_of(run) & set(line.words):
        return [f"expected {line.text}, came exit {run.exit}"]
    if run.exit == CANNOT_AUDIT and not causes(run):
        return ["expected the cause in the report, came none"]
    return []


def no_score(run):
    problems = []
    for key in ("overall", "grade"):
        if run.report.get(key) is not None:
            problems.append(f"expected no {key} with exit {run.exit}, came {run.report[key]}")
    return problems


def causes(run):
    """The sentences by which a report says why nothing could be audited."""
    report = run.report or {}
    failure = report.get("failure") or {}
    texts = [failure.get("message", "")] + [finding.get("message", "") for finding in run.findings()]
    return [text for text in texts if text.strip()]


def judge_after(line, run, words):
    if line.word == "no-process-left":
        return []  # held for every run, see judge_always
    text = run.files.get(line.word, "")
    lines = [name for name in line.words if re.search(rf"\b{re.escape(name)}\b", text)]
    return [f"expected {line.text}, came lines for {', '.join(lines)}"] if lines else []


def judge_limit(line, run, words):
    if run.seconds <= line.number:
        return []
    return [f"expected an end within {line.number} s, came {run.seconds:.1f} s"]


def own_crash(run):
    problems = []
    if run.exit is not None and run.exit not in ORDERLY_EXITS:
        problems.append(f"expected no failure of mcprobe's own, came exit {run.exit}")
    panics = [name for name, text in run.outputs() if name.startswith("stderr") and PANIC.search(text)]
    if panics:
        problems.append(f"expected no failure of mcprobe's own, came a panic in {panics[0]}")
    return problems


def report_of_silence(run):
    texts = causes(run)
    silent = [text for text in texts if SILENCE.search(text)]
    if (run.report or {}).get("probeState") == "timeout":
        silent.append("probe state timeout")
    return [f"expected no report of silence, came: {silent[0]}"] if silent else []


def secret_in_output(run):
    problems = []
    for secret in run.secrets:
        for form, text in forms_of(secret):
            problems += [f"expected no credential in any output, came one ({form}) in the {name}"
                         for name, output in run.outputs() if text in output]
    return problems


def forms_of(secret):
    """A credential as it stands, and as programs may write it."""
    yield "plain", secret
    yield "base64", base64.b64encode(secret.encode()).decode().rstrip("=")
    if urllib.parse.quote(secret, safe="") != secret:
        yield "percent", urllib.parse.quote(secret, safe="")


def raw_hidden_characters(run):
    problems = []
    for name, text in run.outputs():
        raw = HIDDEN.search(text)
        if raw:
            problems.append(f"expected hidden characters escaped, came U+{ord(raw.group()):04X} in the {name}")
    return problems


def judge_check(line, run, words):
    check = CHECKS.get(line.word)
    if check is None:
        return [f"unknown check: {line.word}"]
    return check(run)


def check_sarif_places(run):
    sarif = next((picture for picture in run.pictures if picture.format == "sarif"), None)
    if sarif is None:
        return ["expected SARIF output, came none (no --format sarif)"]
    try:
        results = [result for log in json.loads(sarif.stdout)["runs"] for result in log["results"]]
    except (ValueError, KeyError, TypeError) as error:
        return [f"expected SARIF output, came {error!r}"]
    if not results:
        return ["expected SARIF results, came none"]
    return [f"expected a place in each result, came none in {result.get('ruleId')}"
            for result in results if not all(has_place(place) for place in result.get("locations") or [{}])]


def has_place(place):
    physical = place.get("physicalLocation") or {}
    uri = (physical.get("artifactLocation") or {}).get("uri") or ""
    is_relative = bool(uri) and not uri.startswith("/") and ":" not in uri and "\\" not in uri
    return is_relative and ((physical.get("region") or {}).get("startLine") or 0) >= 1


def stdout_lines(run):
    yield from (("JSON", line) for line in run.stdout.splitlines())
    for picture in run.pictures:
        yield from ((picture.format, line) for line in picture.stdout.splitlines())


def check_no_foreign_commands(run):
    foreign = [(name, line) for name, line in stdout_lines(run)
               if line.lstrip().startswith("::") and not OWN_COMMAND.match(line.lstrip())]
    return [f"expected no line that starts with `::`, came {line!r} ({name})" for name, line in foreign[:3]]


def check_no_old_commands(run):
    foreign = [(name, line) for name, line in stdout_lines(run) if "##[" in line]
    return [f"expected no line with `##[`, came {line!r} ({name})" for name, line in foreign[:3]]


def check_markdown_tables(run):
    markdown = next((picture for picture in run.pictures if picture.format == "markdown"), None)
    if markdown is None:
        return ["expected markdown output, came none"]
    tables = [table for table in tables_of(markdown.stdout) if len({columns(row) for row in table}) != 1]
    return [f"expected one number of columns, came {[columns(row) for row in table]}" for table in tables]


def tables_of(markdown):
    """Runs of lines that start with a bar."""
    tables, table = [], []
    for line in markdown.splitlines() + [""]:
        if line.startswith("|"):
            table.append(line)
        elif table:
            tables.append(table)
            table = []
    return tables


def columns(row):
    return len(re.findall(r"(?<!\\)\|", row)) - 1


def check_counts(run):
    """Tools seen (null when they could not be listed) and tools called."""
    report = run.report or {}
    wanted = {"counts": ("tools",), "coverage": ("totalTools", "fuzzedTools", "called", "skipped")}
    missing = [f"{part}.{key}" for part, keys in wanted.items() for key in keys if key not in (report.get(part) or {})]
    return [f"expected counts of tools, came a report without {', '.join(missing)}"] if missing else []


def check_score_gate(run):
    if run.gate_exit in (1, CANNOT_AUDIT):
        return []
    return [f"expected --min-score 1 not to pass, came exit {run.gate_exit}"]


def shown(findings):
    """Findings in a few words, the first six."""
    texts = [f"{finding['severity']} {finding['code']} {place(finding)}".strip() for finding in findings]
    more = f" and {len(texts) - 6} more" if len(texts) > 6 else ""
    return (", ".join(texts[:6]) or "no finding") + more


def place(finding):
    where = finding.get("location") or {}
    return " ".join(f"{key}={where[key]}" for key in ("tool", "param", "pointer") if where.get(key))


JUDGES = {
    "connect": judge_connect,
    "tools": judge_tools,
    "report": judge_report,
    "absent": judge_absent,
    "outcome": judge_outcome,
    "after": judge_after,
    "check": judge_check,
    "limit": judge_limit,
}
OWN_FAILURE_JUDGES = {
    "crash": own_crash,
    "report-of-silence": report_of_silence,
    "secret-in-output": secret_in_output,
    "raw-hidden-characters-in-output": raw_hidden_characters,
}
CHECKS = {
    "every result has physicalLocation.artifactLocation.uri and region.startLine>=1": check_sarif_places,
    "no stdout line starts with '::' except the tool's own, fixed ones": check_no_foreign_commands,
    "no stdout line contains '##['": check_no_old_commands,
    "markdown table has the same number of columns on each row": check_markdown_tables,
    "report has counts of tools seen and called": check_counts,
    "the gate by score does not pass": check_score_gate,
}
