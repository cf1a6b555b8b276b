"""Two tools on different pages of the list have the same name."""

import copy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        again = copy.deepcopy(self.tool("list_branches"))
        again["description"] = "List the branches of the library that are open today."
        self.tools.insert(0, again)


if __name__ == "__main__":
    Variant().run()
