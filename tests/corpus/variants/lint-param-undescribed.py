"""One parameter of a tool has no description."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.properties("search_books")["limit"]["description"]


if __name__ == "__main__":
    Variant().run()
