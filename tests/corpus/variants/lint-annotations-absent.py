"""One tool gives no hints at all."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.tool("find_branch")["annotations"]


if __name__ == "__main__":
    Variant().run()
