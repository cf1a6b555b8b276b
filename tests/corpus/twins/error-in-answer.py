"""Good answers that speak of errors: a book with that word in its title, a topic on error messages."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, structured, text  # noqa: E402


class Twin(Library):
    def adapt(self):
        self.properties("search_books")["query"]["examples"] = ["error"]
        self.properties("read_guide")["topic"]["enum"] = ["errors", *self.properties("read_guide")["topic"]["enum"]]

    def do_search_books(self, query, language=None, limit=10):
        book = {"id": "B0006", "title": "Error: A Life", "author": "Nora Falk", "year": 1999, "language": "en"}
        if "error" in query.lower():
            return structured({"total": 1, "books": [book]})
        return super().do_search_books(query, language, limit)

    def do_read_guide(self, topic):
        if topic == "errors":
            return text("Error messages of the desk: 'Error: card failed' means that the card has expired.")
        return super().do_read_guide(topic)


if __name__ == "__main__":
    Twin().run()
