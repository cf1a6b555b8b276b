"""One parameter says nothing about the type of its value."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.properties("get_late_fee")["member"]["type"]
        del self.properties("get_late_fee")["member"]["default"]


if __name__ == "__main__":
    Variant().run()
