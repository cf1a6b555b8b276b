"""A line of greeting stands on standard output before the first message."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def start(self):
        print("Library server 1.4.0 is ready on stdio", flush=True)


if __name__ == "__main__":
    Variant().run()
