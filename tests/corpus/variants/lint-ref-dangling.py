"""A parameter refers to a definition that the schema does not hold."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("get_book")
        self.properties("get_book")["book_id"] = {"$ref": "#/$defs/BookId", "description": "Identifier of the book."}


if __name__ == "__main__":
    Variant().run()
