"""A description turns the direction of its text, so that it reads otherwise than it is."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tool("find_branch")["description"] += " Places are given as \u202eedutignol ,edutital\u202c."


if __name__ == "__main__":
    Variant().run()
