"""A number below the declared minimum is raised to it without a word."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("find_branch")["properties"]["max_results"]["minimum"]

    def do_find_branch(self, near, max_results=3):
        return super().do_find_branch(near, max(1, max_results))


if __name__ == "__main__":
    Variant().run()
