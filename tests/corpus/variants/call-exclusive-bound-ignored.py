"""The bound that a number must be above is taken too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        rate = self.checked("get_late_fee")["properties"]["rate"]
        rate["minimum"] = rate.pop("exclusiveMinimum")


if __name__ == "__main__":
    Variant().run()
