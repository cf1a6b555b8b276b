"""A call with a value of the wrong type is never answered, as its exception is swallowed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def handle(self, message):
        try:
            return super().handle(message)
        except TypeError:
            return None

    def refuse(self, name, arguments, faults):
        if name == "search_books" and not isinstance(arguments.get("query", ""), str):
            raise TypeError("query")
        return super().refuse(name, arguments, faults)


if __name__ == "__main__":
    Variant().run()
