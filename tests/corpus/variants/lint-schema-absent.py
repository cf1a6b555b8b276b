"""A tool without parameters leaves its input schema out."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("list_branches")
        del self.tool("list_branches")["inputSchema"]


if __name__ == "__main__":
    Variant().run()
