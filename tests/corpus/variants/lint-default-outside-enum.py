"""The default of a parameter is none of its allowed values."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.properties("search_books")["language"]["default"] = "any"


if __name__ == "__main__":
    Variant().run()
