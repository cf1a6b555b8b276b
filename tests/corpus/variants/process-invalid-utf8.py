"""Answers are written in the character set of an old terminal."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tool("find_branch")["description"] += " Distances are air lines, \u00b1 0.1 km."

    def encode(self, message):
        return super().encode(message).decode().encode("latin-1", "replace")


if __name__ == "__main__":
    Variant().run()
