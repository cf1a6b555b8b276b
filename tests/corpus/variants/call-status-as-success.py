"""A valid call fails, and only a field in the JSON of the text says so."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, text  # noqa: E402


class Variant(Library):
    def do_get_cover(self, book_id):
        self.book(book_id)
        return text('{"success": false, "error": "The cover service did not answer."}')


if __name__ == "__main__":
    Variant().run()
