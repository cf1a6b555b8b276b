"""The root of an input schema has properties and no type."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.tool("get_book")["inputSchema"]["type"]


if __name__ == "__main__":
    Variant().run()
