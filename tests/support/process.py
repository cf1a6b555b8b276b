"""Processes of the scripts: runs with a limit, marks in the environment, ports.

A run is marked by a variable in its environment, which every process below it
inherits; what still carries the mark afterwards was left behind. Needs /proc.
"""
import os
import signal
import socket
import subprocess
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

MARK = "MCPROBE_RUN_MARK"
SETTLE = 2.0


@dataclass
class Ended:
    """How a program ended; `exit` is None when it was killed at its limit."""

    exit: int | None
    stdout: str
    stderr: str
    seconds: float


def new_mark():
    return uuid.uuid4().hex


def run_bounded(words, limit, folder=None, mark=None, variables=None):
    """Runs in a process group of its own, which is ended by force at the limit."""
    environment = {**os.environ, **(variables or {}), **({MARK: mark} if mark else {})}
    start = time.monotonic()
    process = subprocess.Popen(
        list(map(str, words)), cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True)
    try:
        stdout, stderr = process.communicate(timeout=limit)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = drain(process)
        code = None
    seconds = time.monotonic() - start
    return Ended(code, stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace"), seconds)


def drain(process):
    """What a killed process had printed; its children may hold the pipes open."""
    try:
        return process.communicate(timeout=5)
    except subprocess.TimeoutExpired as late:
        return late.stdout or b"", late.stderr or b""


def processes_left(mark):
    """Command lines of live processes that carry a mark, after a moment to settle.

    They are ended, so that one bad run does not spoil the next.
    """
    found = settled(mark)
    for pid in found:
        end_marked(pid, mark)
    if found:
        settled(mark)
    return list(found.values())


def settled(mark):
    """What still carries a mark when its processes have had their moment to end."""
    deadline = time.monotonic() + SETTLE
    found = marked(mark)
    while found and time.monotonic() < deadline:
        time.sleep(0.05)
        found = marked(mark)
    return found


def marked(mark):
    """Process ids with the mark in their environment, and their command lines."""
    found = {}
    needle = f"{MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            is_marked = needle in (folder / "environ").read_bytes()
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
        except OSError:
            continue
        if is_marked and state != "Z":
            found[int(folder.name)] = command
    return found


def end_marked(pid, mark):
    """Ends one process of ours, if the id still is that process."""
    if pid not in marked(mark):
        return
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class HttpServer:
    """A server on a free port of this machine, gone at the end.

    `words` is the command; `{port}` in a word or in a variable stands for the port.
    """

    def __init__(self, words, folder, variables=None, start_limit=20):
        self.port = free_port()
        self.words = [str(word).replace("{port}", str(self.port)) for word in words]
        self.folder = folder
        self.variables = {key: value.replace("{port}", str(self.port)) for key, value in (variables or {}).items()}
        self.start_limit = start_limit
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen(
            self.words, cwd=self.folder, env={**os.environ, **self.variables}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + self.start_limit
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise OSError(f"the server ended with {self.process.returncode} before it listened")
            if is_listening(self.port):
                return self
            time.sleep(0.05)
        self.__exit__()
        raise OSError(f"the server did not listen within {self.start_limit} s")

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def url(self, path="/mcp"):
        return f"http://127.0.0.1:{self.port}{path}"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_listening(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
