"""The official suite: how it is run, and what it leaves."""
import json
import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from support.process import run_bounded  # noqa: E402

SETS = ("2025-11-25", "2026-07-28")
# A result's folder is `<scenario>-<time>`, with `server-` before it for a server's.
FOLDER = re.compile(r"(?P<scenario>.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z")


class SuiteError(Exception):
    """The suite could not be run."""


class Suite:
    """The installed suite. `folder` holds `node_modules`, `scratch` takes the results."""

    def __init__(self, folder, scratch):
        self.modules = folder / "node_modules"
        self.scratch = scratch

    def node(self, *words):
        """A command on the installed Node."""
        return [self.modules / ".bin/node", *words]

    def run(self, side, name, words, limit=120, variables=None):
        """Runs `conformance client` or `server`.

        Returns how it ended, and the checks by scenario: lists of objects with `id`
        and `status`.
        """
        output = self.scratch / name
        shutil.rmtree(output, ignore_errors=True)
        program = self.modules / "@modelcontextprotocol/conformance/dist/index.js"
        variables = {"PATH": f"{self.modules / '.bin'}:{os.environ['PATH']}", **(variables or {})}
        ended = run_bounded(self.node(program, side, *words, "-o", output), limit, self.scratch, variables=variables)
        if ended.exit is None:
            raise SuiteError(f"the suite did not end within {limit} s: {' '.join(map(str, words))}")
        found = results(output, "server-" if side == "server" else "")
        if not found:
            raise SuiteError(f"the suite left no results (exit {ended.exit}): {ended.stderr.strip()[-500:]}")
        return ended, found

    def required(self, revision, side):
        """The scenarios that a set demands of a side."""
        text = (self.modules / f"@modelcontextprotocol/conformance/requirements/{revision}.yaml").read_text()
        return [entry for entry, _ in entries(text, side)]


def results(folder, prefix):
    """The checks by scenario in a folder of results."""
    found = {}
    for path in sorted(folder.glob("**/checks.json")):
        name = str(path.parent.relative_to(folder))
        match = FOLDER.fullmatch(name)
        if match is None or not name.startswith(prefix):
            raise SuiteError(f"results of an unknown form: {path}")
        found[match["scenario"].removeprefix(prefix)] = json.loads(path.read_text())
    return found


def entries(text, key):
    """The `- entry  # remark` lines under `key:`, as (entry, remark); plain YAML lists only."""
    found, inside = [], False
    for line in text.splitlines():
        if line and not line[0].isspace() and not line.startswith(("#", "-")):
            inside = line.split("#")[0].strip() == f"{key}:"
        elif inside and (match := re.fullmatch(r"\s*-\s+([^\s#]+)\s*(?:#\s*(.*))?", line)):
            found.append((match[1], (match[2] or "").strip()))
    return found
