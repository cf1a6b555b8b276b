"""Null is taken for a required number and counts as zero."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("get_late_fee")["properties"]["days"]["type"] = ["integer", "null"]

    def do_get_late_fee(self, days, rate=0.25, member=False):
        return super().do_get_late_fee(days or 0, rate, member)


if __name__ == "__main__":
    Variant().run()
