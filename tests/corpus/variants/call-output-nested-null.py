"""One entry deep in the structured result is null where a text is declared."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, structured  # noqa: E402


class Variant(Library):
    def do_search_books(self, query, language=None, limit=10):
        value = super().do_search_books(query, language, limit)["structuredContent"]
        for book in value["books"][1:]:
            book["author"] = None
        return structured(value)


if __name__ == "__main__":
    Variant().run()
