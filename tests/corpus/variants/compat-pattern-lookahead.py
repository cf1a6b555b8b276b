"""A pattern looks ahead, which some engines cannot do."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.properties("get_book")["book_id"]["pattern"] = "^B(?!0000)[0-9]{4}$"


if __name__ == "__main__":
    Variant().run()
