"""The process ends with an exception when its standard input closes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def stop(self):
        raise EOFError("input closed")


if __name__ == "__main__":
    Variant().run()
