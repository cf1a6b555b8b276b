"""A block of content has a type that the protocol does not know."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_find_branch(self, near, max_results=3):
        lines = super().do_find_branch(near, max_results)["content"][0]["text"].splitlines()
        return {"content": [{"type": "json", "json": {"branches": lines}}]}


if __name__ == "__main__":
    Variant().run()
