"""A text longer than declared is cut to length without a word."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("search_books")["properties"]["query"]["maxLength"]

    def do_search_books(self, query, language=None, limit=10):
        return super().do_search_books(query[:200], language, limit)


if __name__ == "__main__":
    Variant().run()
