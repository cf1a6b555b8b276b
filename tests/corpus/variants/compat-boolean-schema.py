"""A parameter has true as its schema, which some clients refuse."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.properties("find_branch")["note"] = True

    def do_find_branch(self, near, max_results=3, note=None):
        return super().do_find_branch(near, max_results)


if __name__ == "__main__":
    Variant().run()
