"""The root of an input schema allows null besides an object."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tool("search_books")["inputSchema"]["type"] = ["object", "null"]


if __name__ == "__main__":
    Variant().run()
