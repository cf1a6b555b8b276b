"""The `expect` block of a case's expect.md, as data.

One line of a block is one `Line`. A line that this grammar does not know is
an `ExpectError`: an expectation is never skipped without a word.
"""
import re
import shlex
from dataclasses import dataclass, field

LEVELS = ("error", "error+", "warn", "warn+", "note", "any")
FILTERS = ("tool", "path", "code", "phase", "when", "about")
OWN_FAILURES = ("crash", "report-of-silence", "secret-in-output", "raw-hidden-characters-in-output")
OUTCOMES = ("pass", "fail", "cannot-audit")

PREFIX = re.compile(r"^(mode [\w.-]+|with header|without header|with env): (.+)$")
LIMIT = re.compile(r"^(\d+)s( each)?$")
NO_LINE = re.compile(r"^no-line\(([^()]+)\) in ([\w.-]+)$")


class ExpectError(ValueError):
    """A line that cannot be read; the text says why."""


@dataclass(frozen=True)
class Line:
    """One expectation.

    `mode` is the prefix (`mode empty`, `with header`, None). `level` is set
    for findings, `word` holds the rest of what the kind needs.
    """

    text: str
    kind: str
    mode: str | None = None
    level: str | None = None
    word: str | None = None
    words: tuple[str, ...] = ()
    number: int | None = None
    filters: dict[str, str] = field(default_factory=dict)


def read_block(markdown):
    """The lines of the one `expect` block of an expect.md."""
    blocks = re.findall(r"^```expect\n(.*?)^```", markdown, re.M | re.S)
    if len(blocks) != 1:
        raise ExpectError(f"{len(blocks)} expect blocks; one is wanted")
    return [line.strip() for line in blocks[0].splitlines() if line.strip()]


def parse(text):
    """One line as a `Line`."""
    prefix = PREFIX.match(text)
    mode, body = prefix.groups() if prefix else (None, text)
    kind, colon, rest = body.partition(": ")
    reader = READERS.get(kind)
    if not colon or reader is None:
        raise ExpectError(f"unknown line: {text}")
    try:
        return Line(text=text, kind=kind, mode=mode, **reader(rest.strip()))
    except ValueError as error:
        raise ExpectError(f"{error}: {text}") from None


def parse_all(lines):
    """All lines of a block; the first bad one raises."""
    return [parse(line) for line in lines]


def read_connect(rest):
    if rest not in ("yes", "no"):
        raise ValueError("connect is yes or no")
    return {"word": rest}


def read_tools(rest):
    if not rest.isdigit():
        raise ValueError("tools is a number")
    return {"number": int(rest)}


def read_finding(rest):
    """`LEVEL key=value …`, values quoted as in a shell."""
    level, *pairs = shlex.split(rest)
    if level not in LEVELS:
        raise ValueError(f"unknown level `{level}`")
    filters = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or key not in FILTERS:
            raise ValueError(f"unknown filter `{pair}`")
        filters[key] = value
    return {"level": level, "filters": filters}


def read_absent(rest):
    first, _, more = rest.partition(" ")
    if first in OWN_FAILURES:
        if more:
            raise ValueError(f"`{first}` stands alone")
        return {"word": first}
    if first == "outcome":
        return read_absent_outcome(more)
    return read_finding(rest)


def read_absent_outcome(rest):
    outcome, _, qualifier = rest.partition(" ")
    if outcome not in OUTCOMES or qualifier not in ("", "with full score"):
        raise ValueError("unknown outcome")
    return {"word": "outcome", "words": (outcome, qualifier)}


def read_outcome(rest):
    """`pass`, `cannot-audit (each)`, `pass or cannot-audit with the cause`."""
    plain = re.sub(r" \(each\)$", "", rest)
    plain, cause = re.subn(r" with the cause$", "", plain)
    words = tuple(plain.split(" or "))
    unknown = [word for word in words if word not in OUTCOMES]
    if unknown:
        raise ValueError(f"unknown outcome `{unknown[0]}`")
    return {"words": words, "word": "cause" if cause else None}


def read_after(rest):
    if rest == "no-process-left":
        return {"word": rest}
    no_line = NO_LINE.match(rest)
    if not no_line:
        raise ValueError("unknown after")
    names, file = no_line.groups()
    return {"word": file, "words": tuple(names.split(","))}


def read_check(rest):
    return {"word": rest}


def read_limit(rest):
    limit = LIMIT.match(rest)
    if not limit:
        raise ValueError("limit is a number of seconds, as in 20s")
    return {"number": int(limit.group(1))}


READERS = {
    "connect": read_connect,
    "tools": read_tools,
    "report": read_finding,
    "absent": read_absent,
    "outcome": read_outcome,
    "after": read_after,
    "check": read_check,
    "limit": read_limit,
}


def modes_of(run_line, lines):
    """The modes of a case, in order: those that its `Run` line names, then
    those that only its expectations name. A case without any has `[None]`.
    """
    modes = []
    for mode in modes_of_run_line(run_line) + [line.mode for line in lines]:
        if mode is not None and mode not in modes:
            modes.append(mode)
    if "mode open" in modes and "mode default" in modes:
        modes.remove("mode default")  # two words for a run without an argument
    return modes or [None]


def modes_of_run_line(run_line):
    """`server.py PORT 404   (also 400, 406)` names the modes 404, 400, 406;
    `server.py PORT   (and: python3 server.py PORT liar)` a plain run and liar.
    """
    match = re.search(r"server\.py(?: PORT)?((?: [\w-]+)?)\s+\((then|also|and:) ([^)]*)\)", run_line)
    if not match:
        return []
    first, _, more = match.groups()
    more = re.sub(r"python3 server\.py(?: PORT)?", "", more)
    named = [word for word in re.split(r"[,\s]+", more) if word]
    return [f"mode {first.strip()}" if first else "mode default"] + [f"mode {word}" for word in named]


def lines_for(mode, lines):
    """The expectations that hold for a mode: its own and those of all modes."""
    return [line for line in lines if line.mode in (None, mode)]
