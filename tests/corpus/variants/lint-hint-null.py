"""A serializer writes null for a hint that one tool does not give."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        hints = self.tool("find_branch")["annotations"]
        self.tool("find_branch")["annotations"] = {**hints, "idempotentHint": None}


if __name__ == "__main__":
    Variant().run()
