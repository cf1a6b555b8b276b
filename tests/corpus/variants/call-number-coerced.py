"""A number written as text is converted and taken."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def validate(self, name, arguments):
        limit = arguments.get("limit")
        if name == "search_books" and isinstance(limit, str) and limit.isascii() and limit.isdigit() and len(limit) < 9:
            arguments["limit"] = int(limit)
        return super().validate(name, arguments)


if __name__ == "__main__":
    Variant().run()
