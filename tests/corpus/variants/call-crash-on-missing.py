"""A missing argument ends the process."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("get_book")["required"]

    def perform(self, name, arguments):
        return super().perform(name, {"book_id": arguments["book_id"]} if name == "get_book" else arguments)


if __name__ == "__main__":
    Variant().run()
