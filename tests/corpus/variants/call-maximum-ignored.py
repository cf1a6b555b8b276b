"""A number above the declared maximum is taken."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("get_late_fee")["properties"]["days"]["maximum"]


if __name__ == "__main__":
    Variant().run()
