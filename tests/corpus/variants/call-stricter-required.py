"""An argument that the schema calls optional must be given."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("get_late_fee")["required"] = ["days", "rate"]


if __name__ == "__main__":
    Variant().run()
