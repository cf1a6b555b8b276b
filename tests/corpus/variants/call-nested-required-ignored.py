"""A required field inside an object may be left out and counts as zero."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("find_branch")["properties"]["near"]["required"]

    def do_find_branch(self, near, max_results=3):
        return super().do_find_branch({"latitude": 0, "longitude": 0, **near}, max_results)


if __name__ == "__main__":
    Variant().run()
