"""A hint of one tool is the text "true" instead of a boolean."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        hints = self.tool("read_guide")["annotations"]
        self.tool("read_guide")["annotations"] = {**hints, "readOnlyHint": "true"}


if __name__ == "__main__":
    Variant().run()
