"""A field inside an object takes a value of any type."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("list_loans")["properties"]["filter"]["properties"]["since"] = {}

    def do_list_loans(self, filter, tags=(), page=1):
        since = filter.get("since", "")
        return super().do_list_loans({**filter, "since": since if isinstance(since, str) else ""}, tags, page)


if __name__ == "__main__":
    Variant().run()
