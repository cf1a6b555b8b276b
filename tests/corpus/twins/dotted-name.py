"""A tool name with dots."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Twin(Library):
    def adapt(self):
        self.tool("list_branches")["name"] = "library.branches.list"

    def do_library_branches_list(self):
        return self.do_list_branches()


if __name__ == "__main__":
    Twin().run()
