"""The items of an array are not looked at."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("list_loans")["properties"]["tags"]["items"]

    def do_list_loans(self, filter, tags=(), page=1):
        return super().do_list_loans(filter, [tag for tag in tags if isinstance(tag, str)], page)


if __name__ == "__main__":
    Variant().run()
