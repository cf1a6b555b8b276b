"""One tool says that it only reads and that it destroys."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        hints = self.tool("get_book")["annotations"]
        self.tool("get_book")["annotations"] = {**hints, "destructiveHint": True}


if __name__ == "__main__":
    Variant().run()
