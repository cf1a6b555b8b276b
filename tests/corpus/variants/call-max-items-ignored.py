"""An array longer than declared is taken."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, structured  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.properties("search_books")["authors"] = {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": 2,
            "description": "Only books by one of these authors.",
            "examples": [["Ida Lund"]],
        }
        del self.checked("search_books")["properties"]["authors"]["maxItems"]

    def do_search_books(self, query, language=None, limit=10, authors=()):
        found = super().do_search_books(query, language, limit)["structuredContent"]["books"]
        books = [book for book in found if not authors or book["author"] in authors]
        return structured({"total": len(books), "books": books})


if __name__ == "__main__":
    Variant().run()
