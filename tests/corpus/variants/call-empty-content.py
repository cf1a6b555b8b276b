"""A valid call succeeds with an empty list of content."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_find_branch(self, near, max_results=3):
        return {"content": []}


if __name__ == "__main__":
    Variant().run()
