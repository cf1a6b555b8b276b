"""The description of one tool is its name with a space in it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tool("get_cover")["description"] = "Get cover"


if __name__ == "__main__":
    Variant().run()
