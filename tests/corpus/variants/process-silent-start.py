"""The process runs and never answers the first request."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def line(self, line):
        """Read and never answered."""


if __name__ == "__main__":
    Variant().run()
