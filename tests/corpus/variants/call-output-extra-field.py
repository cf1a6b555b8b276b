"""The structured result holds a field that the closed output schema does not name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, structured  # noqa: E402


class Variant(Library):
    def do_get_book(self, book_id):
        return structured({**self.book(book_id), "shelf": "C12"})


if __name__ == "__main__":
    Variant().run()
