"""One tool still carries the description of the tool it was copied from."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tool("get_cover")["description"] = self.tool("get_book")["description"]


if __name__ == "__main__":
    Variant().run()
