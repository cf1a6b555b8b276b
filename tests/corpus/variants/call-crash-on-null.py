"""Null in place of a text ends the process."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("search_books")["properties"]["query"]["type"] = ["string", "null"]


if __name__ == "__main__":
    Variant().run()
