"""The root of an input schema is a union of two objects without a type of its own."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import BOOKS, BOOK_ID, Library, Refused, closed, shown  # noqa: E402


class Variant(Library):
    def adapt(self):
        title = {"type": "string", "description": "Title as printed.", "examples": ["Inland Sea"]}
        forms = [closed({"book_id": BOOK_ID}, ["book_id"]), closed({"title": title}, ["title"])]
        self.tool("get_cover")["inputSchema"] = {"anyOf": forms}

    def do_get_cover(self, book_id=None, title=None):
        known = [book["id"] for book in BOOKS if book["title"] == title]
        if not book_id and not known:
            raise Refused(f"No book has the title {shown(title)}. Look it up with search_books.")
        return super().do_get_cover(book_id or known[0])


if __name__ == "__main__":
    Variant().run()
