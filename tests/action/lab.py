"""One place to run a step in, and what every finished step is held to."""

import json
import os
import shutil
import time
import uuid
from pathlib import Path

from engine import FULL, ROOT, SCRATCH
from runner import ANNOTATIONS_PER_KIND, ANNOTATION_KINDS, Action, Machine, Outcome

SERVERS = Path(__file__).resolve().parent / "servers"
# Not root and not the user of any image: the owner is found by looking at the workspace.
OWNER = (4242, 4243)

RESULTS = {
    "pass": 0, "below-min-score": 1, "findings": 1, "partial": 1, "unauthorized": 3, "cannot-audit": 3,
    "config-error": 2, "internal-error": 4, "cancelled": None,
}  # fmt: skip


class Failed(Exception):
    """A case whose outcome is not what it must be."""


def check(condition, what):
    if not condition:
        raise Failed(what)


def same(found, wanted, what):
    check(found == wanted, f"{what}: found {found!r}, wanted {wanted!r}")


class Step:
    """A step that runs, or that ran."""

    def __init__(self, lab, machine, process, name):
        self.lab, self.machine, self.process, self.name = lab, machine, process, name
        self.started = time.monotonic()

    def finish(self, limit=300):
        try:
            stdout, stderr = self.process.communicate(timeout=limit)
        except Exception:
            self.lab.engine.signal(self.name, 9)
            self.process.communicate()
            raise Failed(f"still running after {limit} s") from None
        seconds = time.monotonic() - self.started
        outcome = Outcome.read(self.machine, self.process.returncode, seconds, stdout, stderr)
        self.lab.last = outcome
        return outcome

    def file(self, path):
        return self.machine.workspace / path

    def child(self):
        """What the server saw of the world around it."""
        found = list(self.machine.workspace.rglob("child.json"))
        check(len(found) == 1, "the server did not run, or ran in an unexpected folder")
        return json.loads(found[0].read_text())


class Lab:
    """Starts steps; forgets them when a case ends."""

    def __init__(self, engine):
        self.engine = engine
        self.action = Action.read(ROOT / "action.yml")
        self.machines = []
        self.last = None

    def start(self, inputs=None, network="none", files=None, extra=None, image=FULL, owner=OWNER, github=True,
              user=None, arguments=("ci",), links=None):  # fmt: skip
        name = f"mcprobe-test-{uuid.uuid4().hex[:8]}"
        machine = Machine(SCRATCH / "jobs" / name, owner)
        self.machines.append(machine)
        for server in SERVERS.iterdir():
            if server.is_file():
                shutil.copy(server, machine.workspace)
        for path, content in (files or {}).items():
            target = machine.workspace / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content)
        for path, target in (links or {}).items():
            (machine.workspace / path).symlink_to(target)
        machine.own()
        variables = dict(extra or {})
        if github:
            variables = self.action.variables(inputs or {}) | machine.variables() | variables
        process = self.engine.run(image, machine, variables, network, list(arguments), name, user, github)
        return Step(self, machine, process, name)

    def run(self, inputs=None, limit=300, **more):
        step = self.start(inputs, **more)
        outcome = step.finish(limit)
        self.hold(step, outcome)
        return step, outcome

    def hold(self, step, outcome):
        """What is true of every step on a runner, whatever happened in it."""
        extra = sorted(set(outcome.outputs) - set(self.action.outputs))
        check(not extra, f"outputs that action.yml does not declare: {extra}")
        for kind in ANNOTATION_KINDS:
            count = len(outcome.annotations(kind))
            check(count <= ANNOTATIONS_PER_KIND, f"{count} annotations of kind {kind}")
        for text in (outcome.stdout, outcome.stderr):
            check(b"panicked at" not in text, "a panic")
        owner = step.machine.owner
        for path in step.machine.workspace.rglob("*"):
            found = path.lstat()
            same((found.st_uid, found.st_gid), owner, f"owner of {path.relative_to(step.machine.workspace)}")

    def complete(self, outcome, result):
        """All outputs are set, and agree with each other and with how the process ended."""
        missing = sorted(set(self.action.outputs) - set(outcome.outputs))
        check(not missing, f"outputs that are not set: {missing}")
        same(outcome.outputs["result"], result, "result")
        same(outcome.outputs["passed"], str(result == "pass").lower(), "passed")
        if RESULTS[result] is not None:
            same(outcome.outputs["exit-code"], str(RESULTS[result]), "exit-code")
        if result in ("cannot-audit", "config-error", "unauthorized"):
            same(outcome.outputs["score"], "", "score of what was not audited")
            same(outcome.outputs["grade"], "", "grade of what was not audited")

    def report(self, step, outcome, path="mcprobe-report.json"):
        """The report on disk, which says the same as the outputs."""
        same(outcome.outputs["report"], path, "report path")
        report = json.loads(step.file(path).read_text())
        check("schemaVersion" in report and "verdict" in report, "the report lacks its top-level keys")
        score = outcome.outputs["score"]
        same(None if score == "" else float(score), report["overall"], "score and report")
        same(outcome.outputs["grade"] or None, report["grade"], "grade and report")
        same(int(outcome.outputs["findings"]), len(report["findings"]), "findings and report")
        return report

    def forget(self):
        for machine in self.machines:
            machine.close()
            shutil.rmtree(machine.root, ignore_errors=True)
        self.machines.clear()
        self.last = None


def registries():
    """The registry settings of this machine, for a server that installs itself at run time."""
    names = ("NPM_CONFIG_", "npm_config_", "PIP_INDEX", "PIP_EXTRA", "UV_INDEX", "UV_DEFAULT", "HTTPS_PROXY", "HTTP_PROXY")
    settings = {name: value for name, value in os.environ.items() if name.startswith(names)}
    bundle = "/etc/ssl/certs/ca-certificates.crt"
    settings |= {"NODE_EXTRA_CA_CERTS": bundle, "SSL_CERT_FILE": bundle}
    return "\n".join(f"{name}={value}" for name, value in settings.items())
