"""The text of a text block is a list of lines instead of a string."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_find_branch(self, near, max_results=3):
        result = super().do_find_branch(near, max_results)
        result["content"][0]["text"] = result["content"][0]["text"].splitlines()
        return result


if __name__ == "__main__":
    Variant().run()
