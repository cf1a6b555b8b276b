"""A number that was never worked out is written as NaN, which is no JSON."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, structured  # noqa: E402


class Variant(Library):
    def encode(self, message):
        return json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")

    def do_get_late_fee(self, days, rate=0.25, member=False):
        return structured({"fee": float("nan"), "currency": "EUR"})


if __name__ == "__main__":
    Variant().run()
