"""A tool whose parameters may all be left out, and whose schema requires none."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Twin(Library):
    def adapt(self):
        del self.tool("search_books")["inputSchema"]["required"]

    def do_search_books(self, query="", language=None, limit=10):
        return super().do_search_books(query, language, limit)


if __name__ == "__main__":
    Twin().run()
