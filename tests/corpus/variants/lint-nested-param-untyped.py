"""A field inside an object parameter says nothing about the type of its value."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        since = self.properties("list_loans")["filter"]["properties"]["since"]
        del since["type"], since["format"]

    def do_list_loans(self, filter, tags=(), page=1):
        known = {key: str(value) for key, value in filter.items()}
        return super().do_list_loans(known, tags, page)


if __name__ == "__main__":
    Variant().run()
