"""A text of many thousand characters ends the process; the schema sets no limit."""

import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.properties("search_books")["query"]["maxLength"]

    def do_search_books(self, query, language=None, limit=10):
        struct.pack(">H", 2 * len(query.encode("utf-8", "replace")))
        return super().do_search_books(query, language, limit)


if __name__ == "__main__":
    Variant().run()
