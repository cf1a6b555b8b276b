"""A tool declares an output schema and answers with text alone."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_get_book(self, book_id):
        return {"content": super().do_get_book(book_id)["content"]}


if __name__ == "__main__":
    Variant().run()
