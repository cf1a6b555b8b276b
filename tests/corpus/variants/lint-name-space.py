"""The name of one tool is written with a space."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tool("read_guide")["name"] = "read guide"


if __name__ == "__main__":
    Variant().run()
