"""A number of the structured result is written as text."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, structured  # noqa: E402


class Variant(Library):
    def do_get_late_fee(self, days, rate=0.25, member=False):
        fee = super().do_get_late_fee(days, rate, member)["structuredContent"]["fee"]
        return structured({"fee": f"{fee:.2f}", "currency": "EUR"})


if __name__ == "__main__":
    Variant().run()
