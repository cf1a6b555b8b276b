"""GitHub's runner, as far as a container action can tell.

It lays the files and variables as the runner does, and reads what a step leaves
behind by the runner's own rules: the command files, and the workflow commands
on both streams. The rules are those of actions/runner 2.336.0
(ActionCommand.cs, ActionCommandManager.cs, FileCommandManager.cs).
"""

import os
import re
import socket
import unicodedata
import uuid
from dataclasses import dataclass, field
from pathlib import Path

SUMMARY_LIMIT_BYTES = 1024 * 1024
ANNOTATIONS_PER_KIND = 10
ANNOTATION_KINDS = ("error", "warning", "notice")

COMMANDS = {
    "add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice",
    "remove-matcher", "save-state", "set-env", "set-output", "stop-commands", "warning",
}


class FileCommandError(Exception):
    """A command file that makes the runner fail the step."""


# ---- action.yml -------------------------------------------------------------


@dataclass
class Action:
    """The metadata that the runner needs: inputs with their defaults, and outputs."""

    inputs: dict
    outputs: list

    @classmethod
    def read(cls, path):
        """Reads the plain shape that this repository uses: names at two blanks, keys at four."""
        inputs, outputs, section, name = {}, [], None, None
        for line in Path(path).read_text().splitlines():
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            indent = len(line) - len(line.lstrip())
            key, _, value = line.strip().partition(":")
            if indent == 0:
                section = key
            elif indent == 2 and section == "inputs":
                name = key
                inputs[name] = ""
            elif indent == 2 and section == "outputs":
                outputs.append(key)
            elif indent == 4 and section == "inputs" and key == "default":
                inputs[name] = value.strip().strip('"')
        if not inputs or not outputs:
            raise ValueError(f"{path} has no inputs or no outputs")
        return cls(inputs, outputs)

    def variables(self, given):
        """`INPUT_*` for every declared input: blanks become `_`, hyphens stay, unset is empty."""
        unknown = sorted(set(given) - set(self.inputs))
        if unknown:
            raise ValueError(f"no such input: {', '.join(unknown)}")
        values = self.inputs | {name: str(value) for name, value in given.items()}
        return {"INPUT_" + name.replace(" ", "_").upper(): value for name, value in values.items()}


# ---- what a step gets -------------------------------------------------------

FILES = {
    "GITHUB_OUTPUT": "set_output_",
    "GITHUB_ENV": "set_env_",
    "GITHUB_STATE": "save_state_",
    "GITHUB_PATH": "add_path_",
    "GITHUB_STEP_SUMMARY": "step_summary_",
}

# Values that the runner hands to the container and that no server may see.
RUNTIME_TOKEN = "canary-runtime-token-5d0c"
STEP_TOKEN = "canary-step-token-91ab"


class Machine:
    """The folders of one job on one runner."""

    def __init__(self, root, owner):
        self.root = Path(root)
        self.workspace = self.root / "ws"
        self.temp = self.root / "tmp"
        self.home = self.temp / "_github_home"
        self.workflow = self.temp / "_github_workflow"
        self.commands = self.temp / "_runner_file_commands"
        self.owner = owner
        for folder in (self.workspace, self.home, self.workflow, self.commands):
            folder.mkdir(parents=True)
        (self.workflow / "event.json").write_text("{}\n")
        self.suffix = str(uuid.uuid4())
        for prefix in FILES.values():
            (self.commands / (prefix + self.suffix)).touch()
        self.docker = socket.socket(socket.AF_UNIX)
        self.docker.bind(str(self.root / "docker.sock"))
        self.docker.listen(1)

    def own(self):
        """Gives everything but the Docker socket to the runner's user."""
        for path in (self.root, self.workspace, self.temp):
            os.chown(path, *self.owner)
        for folder in (self.workspace, self.temp):
            for path in folder.rglob("*"):
                os.chown(path, *self.owner, follow_symlinks=False)
        os.chmod(self.root / "docker.sock", 0o660)

    def close(self):
        self.docker.close()

    def file(self, variable):
        return self.commands / (FILES[variable] + self.suffix)

    def variables(self):
        return {
            "ACTIONS_RUNTIME_TOKEN": RUNTIME_TOKEN,
            "ACTIONS_RUNTIME_URL": "http://runtime.invalid/",
            "CI": "true",
            "GITHUB_ACTION": "__self",
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": "push",
            "GITHUB_EVENT_PATH": "/github/workflow/event.json",
            "GITHUB_JOB": "audit",
            "GITHUB_REF": "refs/heads/main",
            "GITHUB_REPOSITORY": "octo/server",
            "GITHUB_RUN_ID": "1",
            "GITHUB_SERVER_URL": "http://github.invalid",
            "GITHUB_SHA": "0" * 40,
            "GITHUB_TOKEN": STEP_TOKEN,
            "GITHUB_WORKFLOW_REF": "octo/server/.github/workflows/audit.yml@refs/heads/main",
            "GITHUB_WORKSPACE": "/github/workspace",
            "RUNNER_ARCH": "X64",
            "RUNNER_OS": "Linux",
            "RUNNER_TEMP": "/github/runner_temp",
        } | {name: f"/github/file_commands/{prefix}{self.suffix}" for name, prefix in FILES.items()}

    def mounts(self):
        return [
            (self.root / "docker.sock", "/var/run/docker.sock"),
            (self.temp, "/github/runner_temp"),
            (self.home, "/github/home"),
            (self.workflow, "/github/workflow"),
            (self.commands, "/github/file_commands"),
            (self.workspace, "/github/workspace"),
        ]


# ---- command files ----------------------------------------------------------


def read_pairs(text):
    """`GITHUB_OUTPUT`, `GITHUB_ENV` and `GITHUB_STATE`: NAME=VALUE, or NAME<<DELIMITER and lines."""
    pairs, index = {}, 0

    def next_line():
        nonlocal index
        if index >= len(text):
            return None, ""
        start, end = index, text.find("\n", index)
        if end < 0:
            index = len(text)
            return text[start:], ""
        index = end + 1
        return text[start:end], "\n"

    line, _ = next_line()
    while line is not None:
        if line:
            equals, heredoc = line.find("="), line.find("<<")
            if equals >= 0 and (heredoc < 0 or equals < heredoc):
                name, value = line.split("=", 1)
                if not name:
                    raise FileCommandError(f"no name in {line[:80]!r}")
                pairs[name] = value
            elif heredoc >= 0:
                name, delimiter = line.split("<<", 1)
                if not name or not delimiter:
                    raise FileCommandError(f"no name or no delimiter in {line[:80]!r}")
                start = end = index
                line, newline = next_line()
                while line != delimiter:
                    if line is None:
                        raise FileCommandError(f"delimiter {delimiter!r} not found")
                    if not newline:
                        raise FileCommandError("no line break before the delimiter")
                    end = index - len(newline)
                    line, newline = next_line()
                pairs[name] = text[start:end] if end > start else ""
            else:
                raise FileCommandError(f"neither form: {line[:80]!r}")
        line, _ = next_line()
    return pairs


# ---- workflow commands ------------------------------------------------------


@dataclass
class Command:
    """One line that the runner took as a command."""

    name: str
    properties: dict
    data: str
    stream: str


def lines_of(raw):
    """Lines as .NET's reader cuts them: at LF, CR LF, and a lone CR."""
    return re.split(r"\r\n|\n|\r", raw.decode("utf-8", "replace"))


def without_ignorable(line):
    """The runner compares by culture, and such a comparison does not see these characters."""
    return "".join(
        c for c in line if c == "\t" or unicodedata.category(c) not in ("Cc", "Cf") and c not in "\u034f\ufe0f"
    )


def unescape(text, mapping):
    for code, plain in mapping:
        text = text.replace(code, plain)
    return text


DATA = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
PROPERTY = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))
OLD = (("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%25", "%"))


def properties_of(text, separator, mapping):
    pairs = (part.split("=", 1) for part in text.split(separator) if part)
    return {p[0].lower(): unescape(p[1], mapping) for p in pairs if len(p) == 2}


def parse_new(line, registered):
    """`::name key=value,key=value::data`, after leading blanks."""
    line = line.lstrip()
    if not line.startswith("::"):
        return None
    end = line.find("::", 2)
    if end < 0:
        return None
    name, _, properties = line[2:end].partition(" ")
    if name.lower() not in registered:
        return None
    return name.lower(), properties_of(properties.strip(), ",", PROPERTY), unescape(line[end + 2 :], DATA)


def parse_old(line, registered):
    """`##[name key=value;key=value]data`, anywhere in a line."""
    start = line.find("##[")
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    name, _, properties = line[start + 3 : end].partition(" ")
    if name.lower() not in registered:
        return None
    return name.lower(), properties_of(properties, ";", OLD), unescape(line[end + 1 :], OLD)


def scan(raw, stream):
    """Every command in one stream, in order, with `stop-commands` honoured."""
    registered, stopped, found = set(COMMANDS), None, []
    for line in lines_of(raw):
        parsed = None
        for form in (line, without_ignorable(line)):
            parsed = parse_new(form, registered) or parse_old(form, registered)
            if parsed:
                break
        if not parsed:
            continue
        name, properties, data = parsed
        if stopped is not None:
            if name == stopped:
                registered.discard(stopped)
                stopped = None
            continue
        if name == "stop-commands":
            stopped = data.lower()
            registered.add(stopped)
        found.append(Command(name, properties, data, stream))
    return found


# ---- what a step leaves -----------------------------------------------------


@dataclass
class Outcome:
    """A finished step, as later steps and people see it."""

    exit_code: int
    seconds: float
    stdout: bytes
    stderr: bytes
    outputs: dict
    summary: bytes
    commands: list = field(default_factory=list)

    @classmethod
    def read(cls, machine, exit_code, seconds, stdout, stderr):
        for variable in ("GITHUB_ENV", "GITHUB_STATE", "GITHUB_PATH"):
            if machine.file(variable).read_bytes():
                raise FileCommandError(f"something was written to {variable}")
        outputs = read_pairs(machine.file("GITHUB_OUTPUT").read_bytes().decode("utf-8"))
        summary = machine.file("GITHUB_STEP_SUMMARY").read_bytes()
        if len(summary) > SUMMARY_LIMIT_BYTES:
            raise FileCommandError(f"summary of {len(summary)} bytes")
        commands = scan(stdout, "stdout") + scan(stderr, "stderr")
        return cls(exit_code, seconds, stdout, stderr, outputs, summary, commands)

    @property
    def masks(self):
        return [c.data for c in self.commands if c.name == "add-mask"]

    def annotations(self, *kinds):
        return [c for c in self.commands if c.name in (kinds or ANNOTATION_KINDS)]

    def log(self):
        """Both streams without the lines that announce a mask."""
        lines = lines_of(self.stdout) + lines_of(self.stderr)
        return "\n".join(line for line in lines if not line.startswith("::add-mask::"))

    def text(self):
        """Both streams, for a failure message."""
        return self.log()[-3000:]
