"""A required name is spelt otherwise than the property it means."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("get_book")
        self.tool("get_book")["inputSchema"]["required"] = ["bookId"]


if __name__ == "__main__":
    Variant().run()
