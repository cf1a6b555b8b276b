"""An array that declares unique items takes the same item twice."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("list_loans")["properties"]["tags"]["uniqueItems"]


if __name__ == "__main__":
    Variant().run()
