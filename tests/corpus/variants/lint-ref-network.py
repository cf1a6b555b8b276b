"""A parameter refers to a schema at a network address."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("find_branch")
        self.properties("find_branch")["near"] = {
            "$ref": "https://schemas.example.org/place.json",
            "description": "The place to measure from.",
        }


if __name__ == "__main__":
    Variant().run()
