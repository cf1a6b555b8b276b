"""The smallest allowed number of a parameter is above the greatest."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("search_books")
        self.properties("search_books")["limit"].update(minimum=50, maximum=1)


if __name__ == "__main__":
    Variant().run()
