"""An array parameter does not say what its items are, which some clients refuse."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.properties("list_loans")["tags"]["items"]

    def do_list_loans(self, filter, tags=(), page=1):
        return super().do_list_loans(filter, [str(tag) for tag in tags], page)


if __name__ == "__main__":
    Variant().run()
