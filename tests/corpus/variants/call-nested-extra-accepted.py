"""A closed object inside the arguments takes a key it does not know."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("list_loans")["properties"]["filter"]["additionalProperties"]


if __name__ == "__main__":
    Variant().run()
