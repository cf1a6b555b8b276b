"""The default of an integer parameter is a text."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.properties("list_loans")["page"]["default"] = "1"


if __name__ == "__main__":
    Variant().run()
