"""The input schema of one tool is null."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("read_guide")
        self.tool("read_guide")["inputSchema"] = None


if __name__ == "__main__":
    Variant().run()
