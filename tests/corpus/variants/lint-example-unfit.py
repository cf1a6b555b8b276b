"""The example of a parameter does not match its own pattern."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.properties("get_book")["book_id"]["examples"] = ["book-0001"]


if __name__ == "__main__":
    Variant().run()
