"""A tool that needs an identifier of a real record and refuses others with a way out."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, closed  # noqa: E402


class Twin(Library):
    def adapt(self):
        for name in ("get_book", "get_cover"):
            self.tool(name)["inputSchema"] = closed(
                {"book_id": {"type": "string", "description": "Identifier of the book, as search_books returns it."}},
                ["book_id"],
            )


if __name__ == "__main__":
    Twin().run()
