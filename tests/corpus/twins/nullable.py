"""Fields that may be null, in arguments and in results."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Twin(Library):
    def adapt(self):
        self.properties("search_books")["language"] = {
            "type": ["string", "null"],
            "enum": ["en", "de", "fr", None],
            "description": "Only books in this language; null for all.",
        }
        self.properties("list_loans")["page"] = {
            "anyOf": [{"type": "integer", "minimum": 1, "maximum": 1000}, {"type": "null"}],
            "description": "Page, from 1; null for the first.",
        }
        self.properties("get_book")["book_id"]["examples"] = ["B0005"]

    def do_list_loans(self, filter, tags=(), page=1):
        return super().do_list_loans(filter, tags, page or 1)


if __name__ == "__main__":
    Twin().run()
