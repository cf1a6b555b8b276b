"""The description of one tool is only white space."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tool("read_guide")["description"] = " \n"


if __name__ == "__main__":
    Variant().run()
