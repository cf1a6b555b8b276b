"""An unknown key is refused although the schema leaves the object open."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("list_loans")
        del self.tool("list_loans")["inputSchema"]["additionalProperties"]


if __name__ == "__main__":
    Variant().run()
