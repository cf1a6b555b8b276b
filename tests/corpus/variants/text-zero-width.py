"""Zero-width characters split a word of a description."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        tool = self.tool("get_cover")
        tool["description"] = tool["description"].replace("image", "im\u200ba\u200bge")


if __name__ == "__main__":
    Variant().run()
