"""A serializer writes null for the description that one tool does not have."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tool("find_branch")["description"] = None


if __name__ == "__main__":
    Variant().run()
