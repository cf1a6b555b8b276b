"""An identifier that does not match the declared pattern gets a blank cover."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import BOOKS, Library, text  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("get_cover")["properties"]["book_id"]["pattern"]

    def do_get_cover(self, book_id):
        known = book_id in (book["id"] for book in BOOKS)
        return super().do_get_cover(book_id) if known else text("This book has no cover yet.")


if __name__ == "__main__":
    Variant().run()
