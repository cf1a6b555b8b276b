"""Standard error is full of log lines, with words of failure and a stack trace among them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Twin(Library):
    def dispatch(self, method, params):
        for number in range(20):
            print(f"WARN cache miss {number}; Error: retry; fatal: no; " + "." * 200, file=sys.stderr)
        print("Traceback (most recent call last):\n  File 'cache.py', line 3\nKeyError", file=sys.stderr, flush=True)
        return super().dispatch(method, params)


if __name__ == "__main__":
    Twin().run()
