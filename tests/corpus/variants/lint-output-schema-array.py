"""The root of an output schema is an array, and so is the structured result."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import BRANCHES, Library, structured  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tool("list_branches")["outputSchema"] = {"type": "array", "items": {"type": "string"}}

    def do_list_branches(self):
        return structured([branch["name"] for branch in BRANCHES])


if __name__ == "__main__":
    Variant().run()
