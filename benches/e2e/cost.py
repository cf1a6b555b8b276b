"""What one run of a program costs: CPU of its whole tree, peak memory of itself.

CPU is user and system time of the program and of everything below it. A run is
made a subreaper's child, so that processes which outlive the program are waited
for and counted too.

Peak memory is VmHWM of the program's own process, read while it runs. The
`ru_maxrss` that wait4 gives would not do: it is the largest single process of the
tree, and it starts at the size of the process that forked.
"""
import ctypes
import os
import subprocess
import time
from dataclasses import dataclass

PR_SET_CHILD_SUBREAPER = 36
SAMPLE_SECONDS = 0.0005
MIB = 1024 * 1024


@dataclass
class Cost:
    """CPU in milliseconds, wall time in milliseconds, peak memory in bytes."""

    exit: int
    cpu_ms: float
    wall_ms: float
    peak_bytes: int | None = None


def become_subreaper():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def spend(words, folder=None, stdin=None, sample=False, variables=None):
    """Runs a program to its end. Sampling memory takes CPU of its own: not for both at once."""
    start = time.monotonic()
    process = subprocess.Popen(
        [str(word) for word in words], cwd=folder, stdin=stdin or subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env={**os.environ, **(variables or {})})
    peak = watch(process.pid) if sample else None
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = cpu(usage) + orphans_cpu()
    return Cost(process.returncode, seconds * 1000, wall * 1000, peak)


def orphans_cpu():
    """Waits for what the program left to us, and counts it."""
    seconds = 0.0
    while True:
        try:
            _, _, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return seconds
        seconds += cpu(usage)


def cpu(usage):
    return usage.ru_utime + usage.ru_stime


def watch(pid):
    """The highest VmHWM seen until the process ends, in bytes."""
    peak = 0
    path = f"/proc/{pid}/status"
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        try:
            with open(path, encoding="ascii", errors="replace") as file:
                peak = max([peak, *(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))])
        except OSError:
            break
        time.sleep(SAMPLE_SECONDS)
    return peak
