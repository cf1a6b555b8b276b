"""A good call ends the process when another tool was called before it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    rates = {"member": 0.5}

    def do_list_loans(self, filter, tags=(), page=1):
        self.rates = None
        return super().do_list_loans(filter, tags, page)

    def do_get_late_fee(self, days, rate=0.25, member=False):
        self.rates["member"]
        return super().do_get_late_fee(days, rate, member)


if __name__ == "__main__":
    Variant().run()
