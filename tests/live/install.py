"""Installs the published servers into a folder outside of the sources.

The pinned versions are in package.json with its lock, requirements.txt and
requirements-testkit.txt. A stamp of these files makes a second call cheap.
"""
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PINNED = ("package.json", "package-lock.json", "requirements.txt", "requirements-testkit.txt")


def place():
    """Where the servers are: MCPROBE_LIVE_DIR, or target/live."""
    return Path(os.environ.get("MCPROBE_LIVE_DIR") or HERE.parent.parent / "target/live").resolve()


def install():
    """Installs what is not there yet; returns the folder."""
    folder = place()
    stamp = folder / "stamp"
    wanted = digest()
    if stamp.exists() and stamp.read_text() == wanted:
        return folder
    print(f"installing the servers into {folder}", file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    install_node(folder / "node")
    install_python(folder / "python", "requirements.txt")
    install_python(folder / "testkit", "requirements-testkit.txt")
    stamp.write_text(wanted)
    return folder


def digest():
    return hashlib.sha256(b"".join((HERE / name).read_bytes() for name in PINNED)).hexdigest()


def install_node(folder):
    folder.mkdir(exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(HERE / name, folder / name)
    run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder)


def install_python(folder, requirements):
    shutil.rmtree(folder, ignore_errors=True)
    run([sys.executable, "-m", "venv", folder], HERE)
    run([folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "-r", HERE / requirements], HERE)


def run(words, folder):
    """Standard output stays free for the table."""
    subprocess.run([str(word) for word in words], cwd=folder, check=True, stdout=sys.stderr)
