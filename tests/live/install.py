"""Installs the published servers into folders outside of the sources.

The servers of every run are pinned in package.json with its lock, requirements.txt and
requirements-testkit.txt, those of the fleet in the files of the same kind in fleet/. A stamp
of the files makes a second call cheap.
"""
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NODE = ("package.json", "package-lock.json")


def place():
    """Where the servers are: MCPROBE_LIVE_DIR, or target/live."""
    return Path(os.environ.get("MCPROBE_LIVE_DIR") or HERE.parent.parent / "target/live").resolve()


def install():
    """Installs the servers of every run, where they are not there yet; returns the folder."""
    return install_into(place(), HERE, "node", {"python": "requirements.txt", "testkit": "requirements-testkit.txt"})


def install_fleet():
    """The same for the fleet: MCPROBE_FLEET_DIR, or target/fleet. Each Python folder is called after its SDK."""
    folder = Path(os.environ.get("MCPROBE_FLEET_DIR") or HERE.parent.parent / "target/fleet").resolve()
    return install_into(folder, HERE / "fleet", "npm", {name: f"python-{name}.txt" for name in ("sdk1", "sdk2", "old")})


def install_into(folder, pinned, node, python):
    stamp = folder / "stamp"
    wanted = digest([pinned / name for name in (*NODE, *python.values())])
    if stamp.exists() and stamp.read_text() == wanted:
        return folder
    print(f"installing the servers into {folder}", file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    install_node(folder / node, pinned)
    for name, requirements in python.items():
        install_python(folder / name, pinned / requirements)
    stamp.write_text(wanted)
    return folder


def digest(files):
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def install_node(folder, pinned):
    folder.mkdir(exist_ok=True)
    for name in NODE:
        shutil.copyfile(pinned / name, folder / name)
    run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder)


def install_python(folder, requirements):
    shutil.rmtree(folder, ignore_errors=True)
    run([sys.executable, "-m", "venv", folder], HERE)
    run([folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "-r", requirements], HERE)


def run(words, folder):
    """Standard output stays free for the table."""
    subprocess.run([str(word) for word in words], cwd=folder, check=True, stdout=sys.stderr)
