"""A parameter names its type as the programming language does."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("search_books")
        self.properties("search_books")["limit"]["type"] = "int"


if __name__ == "__main__":
    Variant().run()
