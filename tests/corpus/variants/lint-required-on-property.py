"""The parameter itself carries a boolean that says it is required."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("read_guide")
        del self.tool("read_guide")["inputSchema"]["required"]
        self.properties("read_guide")["topic"]["required"] = True


if __name__ == "__main__":
    Variant().run()
