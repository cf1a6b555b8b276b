"""Installs the official suite, its Node 22 and the servers into a folder outside of the sources.

The pinned versions are in package.json with its lock. Node comes from the packages
that the package `node` of npm chooses from by a script; here npm chooses by processor
itself, so that no script runs and the lock holds the binary. A stamp makes a second
call cheap.
"""
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PINNED = ("package.json", "package-lock.json")
NODE = "22."


def place():
    """Where the suite is: MCPROBE_CONFORMANCE_DIR, or target/conformance."""
    return Path(os.environ.get("MCPROBE_CONFORMANCE_DIR") or HERE.parent.parent / "target/conformance").resolve()


def install():
    """Installs what is not there yet; returns the folder with `node_modules`."""
    folder = place() / "npm"
    stamp = folder / "stamp"
    wanted = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in PINNED)).hexdigest()
    if not (stamp.exists() and stamp.read_text() == wanted):
        print(f"installing the conformance suite into {folder}", file=sys.stderr)
        folder.mkdir(parents=True, exist_ok=True)
        stamp.unlink(missing_ok=True)
        for name in PINNED:
            shutil.copyfile(HERE / name, folder / name)
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
                       cwd=folder, check=True, stdout=sys.stderr)
        stamp.write_text(wanted)
    check_node(folder)
    # Beside `node_modules`, which is where Node looks for what a file imports.
    for server in (HERE / "servers").glob("*.mjs"):
        shutil.copyfile(server, folder / server.name)
    return folder


def check_node(folder):
    """The Node of the machine may be too old for the suite; it is never taken."""
    node = folder / "node_modules/.bin/node"
    said = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    if not said.startswith(f"v{NODE}"):
        raise OSError(f"{node} is Node {said}, not {NODE}x")
