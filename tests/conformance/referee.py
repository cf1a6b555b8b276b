"""The suite as referee: what it says of a server, held against what mcprobe says.

checks.toml names, for each check of a scenario, the rows of docs/protocol-checks.md
that ask for the same, or why there is none. exceptions.toml holds the differences that
stand, each with its reason.
"""
import re
from collections import Counter
from dataclasses import dataclass

PASSED, FAILED, NOT_TESTED, SILENT = "passed", "failed", "not tested", "silent"
STATES = {"passed": PASSED, "failed": FAILED, "notTested": NOT_TESTED}


@dataclass(frozen=True)
class Compared:
    """One check of one server, as both see it; `ours` is None where nobody asks for it."""

    server: str
    revision: str
    scenario: str
    check: str
    suite: str
    ours: str | None

    def differs(self):
        return self.ours is not None and self.suite != SILENT and self.suite != self.ours

    def name(self):
        return f"{self.server} {self.revision} {self.scenario} {self.check}"


def compare(server, revision, table, results, report):
    """Every check of the table's scenarios: what was compared, and what is wrong with the table.

    `table` is checks.toml, `results` are checks by scenario, `report` is mcprobe's.
    """
    compared, problems = [], []
    for scenario, known in table[revision].items():
        if scenario not in results:
            problems.append(f"{server} {revision} {scenario}: was not run")
            continue
        verdicts = suite_verdicts(results[scenario])
        problems += [f"{server} {revision} {scenario} {check}: is not in checks.toml"
                     for check in verdicts if check not in known]
        for check, entry in known.items():
            ours = our_verdict(entry, report) if "rows" in entry else None
            compared.append(Compared(server, revision, scenario, check, verdicts.get(check, SILENT), ours))
    return compared, problems


def suite_verdicts(checks):
    """The verdict by check: failed when one of its occurrences is, as the suite counts warnings too."""
    seen = {}
    for check in checks:
        seen.setdefault(check["id"], set()).add(check["status"])
    return {name: one_of(statuses) for name, statuses in seen.items()}


def one_of(statuses):
    if statuses & {"FAILURE", "WARNING"}:
        return FAILED
    return PASSED if "SUCCESS" in statuses else SILENT


def our_verdict(entry, report):
    """What the rows of an entry come to.

    A row often asks for more than the check; `about` is then a pattern for the findings
    (as `code: message`) that the check would have made as well.
    """
    if report["probeState"] != "ok":
        return NOT_TESTED
    if any(finding["code"] in entry.get("codes", ()) for finding in report["findings"]):
        return FAILED
    states = {check["id"]: STATES[check["state"]] for check in report["protocol"]["checks"]}
    found = {states[row] for row in entry["rows"] if row in states}
    if FAILED in found:
        about = entry.get("about", "")
        is_it = any(re.search(about, f"{finding['code']}: {finding['message']}") for finding in report["findings"])
        return FAILED if is_it else PASSED
    return PASSED if PASSED in found else NOT_TESTED


def judge(compared, exceptions, servers, reports):
    """What is wrong: differences without an exception, and exceptions without a difference.

    `servers` are those that were run; `reports` are mcprobe's by (server, set).
    """
    differing = {one: False for one in compared if one.differs()}
    problems = []
    for exception in exceptions:
        if exception["server"] not in servers:
            continue
        name = f"exception {exception['server']} {exception['set']} {exception['scenario']} {exception['check']}"
        if not exception.get("reason", "").strip():
            problems.append(f"{name}: has no reason")
        hit = [one for one in differing if is_excused(one, exception)]
        if not hit:
            problems.append(f"{name}: there is no such difference")
        differing.update(dict.fromkeys(hit, True))
        wanted = exception.get("failure")
        if wanted is not None:
            said = reports[exception["server"], exception["set"]].get("failure") or {}
            if wanted not in said.get("message", ""):
                problems.append(f"{name}: mcprobe does not say `{wanted}`, but {said.get('message')!r}")
    problems += [f"{one.name()}: the suite says {one.suite}, mcprobe {one.ours}"
                 for one, excused in differing.items() if not excused]
    return problems


def is_excused(one, exception):
    """`*` stands for every scenario or check; the verdicts must be those of the exception."""
    return (exception["server"] == one.server and exception["set"] == one.revision
            and exception["scenario"] in ("*", one.scenario) and exception["check"] in ("*", one.check)
            and exception.get("suite", one.suite) == one.suite and exception["ours"] == one.ours)


def problems_of_table(table, compared):
    """Entries without rows or a reason, and entries of which no server showed anything."""
    spoken = {(one.revision, one.scenario, one.check) for one in compared if one.suite != SILENT}
    problems = []
    for revision, scenarios in table.items():
        for scenario, known in scenarios.items():
            for check, entry in known.items():
                name = f"checks.toml: {revision} {scenario} {check}"
                if not entry.get("rows") and not entry.get("nobody", "").strip():
                    problems.append(f"{name}: neither rows nor a reason")
                if (revision, scenario, check) not in spoken:
                    problems.append(f"{name}: the suite never said anything of it")
    return problems


def row_of(server, revision, compared):
    """A line of the table of a run: server, set, and how many checks came to what."""
    counts = Counter(kind(one) for one in compared)
    return [server, revision, counts["agree"], sum(one.suite == FAILED for one in compared if kind(one) == "agree"),
            counts["differ"], counts["nobody"], counts["silent"]]


COLUMNS = ("server", "set", "agree", "of them failed", "differ", "no row", "suite silent")


def kind(one):
    if one.suite == SILENT:
        return "silent"
    if one.ours is None:
        return "nobody"
    return "differ" if one.differs() else "agree"
