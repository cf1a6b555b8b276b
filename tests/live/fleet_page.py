"""The part of docs/fleet.md about servers over the live protocol: written from a run, and read again.

The part stands between two marks, so that the rest of the page is left as it is. Verdict and reason come from
fleet/verdicts.toml, the raw exchanges from the run that wrote the page, cut to CUT bytes.
"""
import re

BEGIN = "<!-- live fleet: begin; written by `tests/live/run --fleet --update` -->"
END = "<!-- live fleet: end -->"
CUT = 300
TITLE = "# Findings on published servers\n"
TEXT = """## Servers over the live protocol

`tests/live/run --fleet` starts published servers from npm and PyPI at pinned versions and audits them: inventory, rules
and probe exchanges, and calls where a scratch folder makes them harmless. Every finding of severity error or warning of
the families `protocol` and `process` stands here with a verdict and a reason; the script fails on a finding that is not
here, and on one that a pinned version does not give any more. A false alarm cannot stand here: it is mended in the rule.

- **true**: the exchange breaks what the specification of the revision says, or what a client counts on.
- **debatable**: the words hold, and one can well think that the server may do so.

The exchanges are cut; `{scratch}`, `{place}` and `{port}` stand for folders and the port of the run.
"""


def write(page, results, verdicts, columns):
    part = "\n".join([BEGIN, "", TEXT, *table(results, columns), "", *entries(results, verdicts), END])
    old = page.read_text(encoding="utf-8") if page.exists() else TITLE
    before, _, rest = old.partition(BEGIN)
    after = rest.partition(END)[2] or "\n"
    page.write_text(before.rstrip("\n") + "\n\n" + part + after, encoding="utf-8")


def table(results, columns):
    lines = ["### The servers", "", f"| {' | '.join(columns)} |", f"| {' | '.join('---' for _ in columns)} |"]
    return lines + [f"| {' | '.join(str(result.row.get(column, '-')) for column in columns)} |" for result in results]


def entries(results, verdicts):
    lines = []
    for result in results:
        for finding in result.findings:
            entry = verdicts[(result.server.name, finding["code"])]
            request, answer = finding["exchange"]
            lines += [f"### `{result.server.name}` {result.row['version']}: `{finding['code']}`", "",
                      f"{finding['severity']}, **{entry['verdict']}**: {entry['reason']}", "", "```text",
                      *quoted("> ", request), *quoted("< ", answer), "```", ""]
    return lines


def quoted(mark, text):
    """The beginning of a text, each line marked; nothing in it can end the block."""
    text = text.replace("```", "'''")
    kept = text.encode()[:CUT].decode("utf-8", "ignore")
    cut = "" if kept == text else f" … ({len(text.encode())} bytes)"
    lines = re.sub(r"[^\S\n]+\n", "\n", kept + cut).splitlines() or [""]
    return [f"{mark}{line}".rstrip() for line in lines]


HEADING = re.compile(r"### `([^`]+)` (\S+): `([^`]+)`\n\n(error|warning), \*\*([a-z]+)\*\*: (.+)\n\n```text\n((?:.*\n)*?)```\n")


def problems(page, verdicts):
    """Where the page and the verdicts differ, or an exchange is not shown."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    part = text.partition(BEGIN)[2].partition(END)[0]
    if not part:
        return [f"page: {page.name} has no part of the live fleet; write it with --update"]
    found, wrong = {}, []
    for server, version, code, _, verdict, reason, block in HEADING.findall(part):
        found[(server, code)] = (version, verdict, reason)
        if not re.search(r"^> \S", block, re.M) or not re.search(r"^< \S", block, re.M):
            wrong.append(f"page: {server} {code} shows no request with its answer")
    for key in sorted(found.keys() | verdicts.keys()):
        entry = verdicts.get(key)
        said = entry and (entry["version"], entry["verdict"], entry["reason"])
        if found.get(key) != said:
            wrong.append(f"page: {key[0]} {key[1]} is not as in verdicts.toml; write it with --update")
    return wrong
