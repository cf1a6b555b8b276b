"""One tool has no description at all."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.tool("list_loans")["description"]


if __name__ == "__main__":
    Variant().run()
