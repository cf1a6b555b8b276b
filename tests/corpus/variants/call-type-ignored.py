"""A number that cannot be read is taken as the default."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        page = self.checked("list_loans")["properties"]["page"]
        page.clear()

    def do_list_loans(self, filter, tags=(), page=1):
        try:
            page = max(1, int(page))
        except (TypeError, ValueError, OverflowError):
            page = 1
        return super().do_list_loans(filter, tags, page)


if __name__ == "__main__":
    Variant().run()
