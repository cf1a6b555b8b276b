#!/usr/bin/env python3
"""Stands before a stdio server and keeps what it is told.

Usage: record.py FOLDER COMMAND [ARGUMENT…]

Each start of the server writes one file of input to FOLDER. Fed to the bare
server again, they show what the server itself costs.
"""
import subprocess
import sys
import threading
from pathlib import Path


def main():
    folder, command = Path(sys.argv[1]), sys.argv[2:]
    server = subprocess.Popen(command, stdin=subprocess.PIPE)
    with open(free_name(folder), "xb", buffering=0) as record:
        threading.Thread(target=copy, args=(record, server.stdin), daemon=True).start()
        return server.wait()


def free_name(folder):
    return folder / f"start-{len(list(folder.iterdir())):03}.jsonl"


def copy(record, server):
    for line in sys.stdin.buffer:
        record.write(line)
        try:
            server.write(line)
            server.flush()
        except OSError:
            return
    server.close()


if __name__ == "__main__":
    code = main()
    sys.exit(code if code >= 0 else 128 - code)
