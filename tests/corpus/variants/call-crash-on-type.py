"""A text in place of an object ends the process."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("find_branch")["properties"]["near"] = {}

    def do_find_branch(self, near, max_results=3):
        return super().do_find_branch({key: near[key] for key in ("latitude", "longitude")}, max_results)


if __name__ == "__main__":
    Variant().run()
