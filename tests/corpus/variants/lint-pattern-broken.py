"""The pattern of a parameter has a group that is never closed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("get_cover")
        self.properties("get_cover")["book_id"]["pattern"] = "^B([0-9]{4}$"


if __name__ == "__main__":
    Variant().run()
