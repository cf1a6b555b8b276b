"""A value outside the allowed ones is taken and finds nothing."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("search_books")["properties"]["language"]["enum"]


if __name__ == "__main__":
    Variant().run()
