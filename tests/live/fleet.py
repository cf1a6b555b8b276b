"""Audits published servers over the live protocol and holds the findings against what a person said of them.

fleet/servers.toml says how each is started, fleet/verdicts.toml what is to be thought of each finding of the
families `protocol` and `process` with severity error or warning. A finding that is not there, and an entry
that nothing gives any more, are failures; a false alarm cannot be listed, it has to be mended.
"""
import json
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import fleet_page
import scratch as folders
from support.process import MARK, HttpServer, new_mark, processes_left, run_bounded
from support.report import read_report

HERE = Path(__file__).resolve().parent
DATA = HERE / "fleet"
LIMIT = 300
VERDICTS = ("true", "debatable")
FAMILIES = ("protocol", "process")
SEVERITIES = ("error", "warning")
# How many packages of each kind the fleet has to reach.
KINDS = {"published": 20, "answers server/discover": 3, "Python SDK 1.x": 2, "speaks 2024-11-05": 2}
COLUMNS = ("server", "version", "SDK", "era", "revision", "transport", "state", "run", "passed", "failed", "not tested",
           "findings")


@dataclass
class Server:
    """A published server, and how it is started."""

    name: str
    place: str
    package: str
    start: str
    folder: str = ""
    arguments: list = field(default_factory=list)
    variables: dict = field(default_factory=dict)
    transport: str = "stdio"
    path: str = "/mcp"
    sdk: str = ""
    fuzz: bool = False


@dataclass
class Result:
    """What one audit came to: a row of the table, the findings with their raw exchanges, and what is wrong."""

    server: Server
    row: dict = field(default_factory=dict)
    findings: list = field(default_factory=list)
    problems: list = field(default_factory=list)


def run(binary, place, only, evidence_folder, page, is_update):
    """Audits all (or those named in `only`); prints the table; the exit code."""
    verdicts = read_verdicts(DATA / "verdicts.toml")
    servers = [server for server in read_servers(DATA / "servers.toml") if not only or server.name in only]
    results = [audit(server, binary, place, evidence_folder, verdicts) for server in servers]
    problems = [f"{result.server.name}: {problem}" for result in results for problem in result.problems]
    problems += comparison_problems(results, verdicts)
    if not only:
        problems += kind_problems(results)
    show([result.row for result in results])
    if is_update and not only and not problems:
        fleet_page.write(page, results, verdicts, COLUMNS)
    if not only:
        problems += fleet_page.problems(page, verdicts)
    for problem in problems:
        print(f"FAIL {problem}")
    wrong = {problem.split(":")[0] for problem in problems}
    failed = sum(result.server.name in wrong for result in results)
    print(f"{len(results) - failed} passed, {max(failed, bool(problems))} failed")
    return 1 if problems else 0


def read_servers(path):
    servers = [Server(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["server"]]
    names = [server.name for server in servers]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"{path}: more than one server is called {', '.join(sorted(twice))}")
    return servers


def read_verdicts(path):
    """The entries by server and rule; a word that is no verdict or a reason that says nothing is an error."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("verdict", [])
    verdicts = {}
    for entry in entries:
        key = (entry["server"], entry["code"])
        if entry["verdict"] not in VERDICTS:
            raise ValueError(f"{path}: {key}: the verdict is one of {', '.join(VERDICTS)}; a false alarm is mended")
        if len(entry["reason"]) < 20 or not entry["version"] or not entry["exchange"]:
            raise ValueError(f"{path}: {key}: a reason, the version and the name of an exchange are needed")
        if key in verdicts:
            raise ValueError(f"{path}: {key} stands there twice")
        verdicts[key] = entry
    return verdicts


# --- one audit ---


def audit(server, binary, place, evidence_folder, verdicts):
    result = Result(server, {"server": server.name, "transport": server.transport})
    with tempfile.TemporaryDirectory(prefix="mcprobe-fleet-") as root:
        scratch = Path(root).resolve() / "scratch"
        folders.prepare(scratch)
        (scratch / "llms.txt").write_text("# Notes\n- [A page](https://example.com/page.md): a page\n")
        evidence = folders.evidence_place(evidence_folder or scratch.parent, server.name)
        fill = Fill(place, scratch)
        try:
            result.row |= facts(server, place)
            report = audit_in(server, binary, fill, evidence, result.problems)
            if report is not None:
                judge(result, report, json.loads(evidence.read_text(encoding="utf-8")), fill, verdicts)
        except (OSError, ValueError, KeyError, StopIteration) as error:
            result.problems.append(f"could not be audited: {error!r}")
    return result


@dataclass
class Fill:
    """The places of a run, to be put into words and taken out of answers."""

    place: Path
    scratch: Path
    port: int | None = None

    def into(self, word):
        return str(word).replace("{scratch}", str(self.scratch)).replace("{node}", str(self.place / "npm/node_modules"))

    def out_of(self, text):
        for known, name in ((str(self.scratch), "{scratch}"), (str(self.place), "{place}")):
            text = text.replace(known, name)
        return text if self.port is None else text.replace(f":{self.port}", ":{port}")


def facts(server, place):
    """Version and SDK, read from what is installed."""
    if server.place == "npm":
        package = place / "npm/node_modules" / (server.folder or server.package)
        manifest = json.loads((package / "package.json").read_text(encoding="utf-8"))
        if manifest["name"] != server.package:
            raise ValueError(f"{package} holds {manifest['name']}")
        return {"version": manifest["version"], "SDK": server.sdk or node_sdk(package, manifest)}
    packages = place / server.place
    return {"version": python_version(packages, server.package),
            "SDK": server.sdk or f"Python SDK {python_version(packages, 'mcp')}"}


def node_sdk(package, manifest):
    """The SDK that a package depends on, in the version that it resolves to."""
    for name in ("@modelcontextprotocol/server", "@modelcontextprotocol/sdk"):
        if name not in manifest.get("dependencies", {}):
            continue
        for folder in [package, *package.parents]:
            found = folder / "node_modules" / name / "package.json"
            if found.is_file():
                return f"TypeScript SDK {json.loads(found.read_text(encoding='utf-8'))['version']}"
    return "none that is known"


def python_version(environment, package):
    name = package.replace("-", "_")
    found = list(environment.glob(f"lib/python3*/site-packages/{name}-*.dist-info"))
    if len(found) != 1:
        raise ValueError(f"{package} is {len(found)} times in {environment.name}")
    return found[0].name.removesuffix(".dist-info").rpartition("-")[2]


def words_of(server, fill):
    if server.place == "npm":
        start = ["node", fill.place / "npm/node_modules" / (server.folder or server.package) / server.start]
    else:
        start = [fill.place / server.place / "bin" / server.start]
    return [fill.into(word) for word in [*start, *server.arguments]]


def audit_in(server, binary, fill, evidence, problems):
    """The report of one audit, or None; what is wrong with the run is added to `problems`."""
    words, mark = words_of(server, fill), new_mark()
    variables = {key: fill.into(value) for key, value in server.variables.items()}
    if server.transport == "stdio":
        return audit_target(server, binary, folders.target_of(words, fill.scratch, {**variables, MARK: mark}), evidence,
                            mark, problems)
    with HttpServer(words, fill.scratch, variables) as http:
        fill.port = http.port
        return audit_target(server, binary, [http.url(server.path)], evidence, mark, problems)


def audit_target(server, binary, target, evidence, mark, problems):
    more = ["--fuzz"] if server.fuzz else []
    with tempfile.TemporaryDirectory(prefix="mcprobe-cwd-") as empty:
        words = [binary, "audit", "--json", "--fail-on", "none", "--evidence", evidence, *more, *target]
        ended = run_bounded(words, LIMIT, empty, mark)
    if ended.exit is None:
        problems.append(f"no end within {LIMIT} s")
        return None
    if ended.exit != 0:
        problems.append(f"exit {ended.exit}: {ended.stderr.strip()[-300:]}")
    left = processes_left(mark)
    if left:
        problems.append(f"left behind: {', '.join(left)}")
    report, problem = read_report(ended.stdout)
    if report is None:
        problems.append(problem)
    return report


def judge(result, report, evidence, fill, verdicts):
    """Row and findings of a report."""
    contact, protocol = report["contact"] or {}, report["protocol"] or {}
    if report["probeState"] != "ok":
        result.problems.append(f"its probe state is {report['probeState']}")
    if contact.get("transport", "stdio") != CARRIERS[result.server.transport]:
        result.problems.append(f"it was reached over {contact.get('transport')}")
    for finding in filter(has_to_be_listed, report["findings"]):
        verdict = verdicts.get((result.server.name, finding["code"]))
        shown = exchange_of(evidence, verdict["exchange"]) if verdict else None
        if verdict and shown is None:
            result.problems.append(f"{finding['code']}: there is no exchange {verdict['exchange']} in the evidence")
        result.findings.append({"code": finding["code"], "severity": finding["severity"],
                                "message": fill.out_of(finding["message"]),
                                "exchange": [fill.out_of(text) for text in shown or ()]})
    passed, failed = protocol.get("passed", 0), protocol.get("failed", 0)
    result.row |= {"era": contact.get("era"), "revision": report["protocolVersion"], "state": report["probeState"],
                   "run": passed + failed, "passed": passed, "failed": failed,
                   "not tested": protocol.get("notTested", 0), "findings": len(result.findings)}


CARRIERS = {"stdio": "stdio", "http": "streamable-http", "sse": "sse"}


def has_to_be_listed(finding):
    return finding["family"] in FAMILIES and finding["severity"] in SEVERITIES


def exchange_of(evidence, name):
    """Request and answer of a named exchange, or None. `noise` is the first line that is no message."""
    if name == "noise":
        lines = evidence["wire"]["noiseFirst"]
        return ("(nothing was asked)", lines[0]) if lines else None
    for made in evidence["probes"]["made"]:
        if made["name"] == name:
            return made["exchange"]["request"], answer_of(made["exchange"])
    return None


def answer_of(exchange):
    """Status, text and failure, whichever there are."""
    parts = [f"HTTP {exchange['httpStatus']}"] if "httpStatus" in exchange else []
    parts += [exchange["reply"]] if exchange.get("reply") else []
    for key in ("failure", "exit"):
        if exchange.get(key) is not None:
            parts.append(f"({key}: {json.dumps(exchange[key])})")
    return "\n".join(parts) or "(no answer)"


# --- judging ---


def comparison_problems(results, verdicts):
    """Findings that are not listed, and entries that their server does not give any more."""
    problems = []
    for result in results:
        name, found = result.server.name, {}
        for finding in result.findings:
            found.setdefault(finding["code"], []).append(finding)
        listed = {code: entry for (server, code), entry in verdicts.items() if server == name}
        for code, all_of_it in found.items():
            problems += [f"{name}: {problem}" for problem in one_problems(result, code, all_of_it, listed.get(code))]
        for code in listed.keys() - found.keys():
            problems.append(f"{name}: {code} is listed for {listed[code]['version']} and does not appear")
    return problems


def one_problems(result, code, findings, entry):
    if entry is None:
        return [f"{code} ({finding['severity']}) is not listed: {finding['message']}" for finding in findings]
    if len(findings) != entry.get("count", 1):
        return [f"{code} appears {len(findings)} times, listed are {entry.get('count', 1)}"]
    if entry["version"] != result.row["version"]:
        return [f"{code} is listed for {entry['version']}, audited was {result.row['version']}"]
    return []


def kind_problems(results):
    """Whether there are enough packages of every kind that were audited to the end."""
    reached = {kind: set() for kind in KINDS}
    for result in results:
        row, package = result.row, result.server.package
        if row.get("state") != "ok":
            continue
        reached["published"].add(package)
        if row["era"] == "modern":
            reached["answers server/discover"].add(package)
        if row["SDK"].startswith("Python SDK 1."):
            reached["Python SDK 1.x"].add(package)
        if row["revision"] == "2024-11-05":
            reached["speaks 2024-11-05"].add(package)
    return [f"fleet: {len(reached[kind])} packages of the kind `{kind}`, expected {number} at least"
            for kind, number in KINDS.items() if len(reached[kind]) < number]


def show(rows):
    table = [COLUMNS, *([str(row.get(column, "-")) for column in COLUMNS] for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(COLUMNS))]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    print()
