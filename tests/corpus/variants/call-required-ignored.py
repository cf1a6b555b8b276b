"""A required argument may be left out: the tool answers with the first record."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("get_book")["required"]

    def do_get_book(self, book_id="B0001"):
        return super().do_get_book(book_id)


if __name__ == "__main__":
    Variant().run()
