"""An empty text is one of the allowed values, which some clients refuse."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.properties("search_books")["language"]["enum"].insert(0, "")

    def do_search_books(self, query, language=None, limit=10):
        return super().do_search_books(query, language or None, limit)


if __name__ == "__main__":
    Variant().run()
