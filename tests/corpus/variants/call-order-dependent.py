"""The answer of one tool changes after another tool was called."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import GUIDE, Library, text  # noqa: E402


class Variant(Library):
    language = "none"

    def do_search_books(self, query, language=None, limit=10):
        self.language = language or "all"
        return super().do_search_books(query, language, limit)

    def do_read_guide(self, topic):
        note = "" if self.language == "none" else f" Shown for readers of language: {self.language}."
        return text(GUIDE[topic] + note)


if __name__ == "__main__":
    Variant().run()
