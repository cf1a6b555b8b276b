"""Integers that are written with a decimal point, which JSON Schema counts as integers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, structured  # noqa: E402


class Twin(Library):
    def do_list_loans(self, filter, tags=(), page=1):
        value = super().do_list_loans(filter, tags, page)["structuredContent"]
        return structured({**value, "page": float(value["page"])})

    def do_search_books(self, query, language=None, limit=10):
        value = super().do_search_books(query, language, limit)["structuredContent"]
        return structured({**value, "total": float(value["total"])})


if __name__ == "__main__":
    Twin().run()
