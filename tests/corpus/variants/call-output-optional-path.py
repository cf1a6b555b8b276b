"""The structured result breaks its schema only when an optional argument is given."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, structured  # noqa: E402


class Variant(Library):
    def do_get_late_fee(self, days, rate=0.25, member=False):
        result = super().do_get_late_fee(days, rate, member)
        if member:
            result = structured({**result["structuredContent"], "currency": "EUR, members' rate"})
        return result


if __name__ == "__main__":
    Variant().run()
