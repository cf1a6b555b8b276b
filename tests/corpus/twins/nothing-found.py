"""Searches that find nothing answer with an empty list and a sentence."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, text  # noqa: E402


class Twin(Library):
    def do_list_loans(self, filter, tags=(), page=1):
        return {**text("No loan passes the filter."), "structuredContent": {"page": int(page), "loans": []}}

    def do_search_books(self, query, language=None, limit=10):
        return {**text("No book matches."), "structuredContent": {"total": 0, "books": []}}


if __name__ == "__main__":
    Twin().run()
