"""The server has more tools than many clients pass on."""

import copy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        for number in range(1, 131):
            again = copy.deepcopy(self.tool("list_branches"))
            again["name"] = f"list_branches_of_district_{number}"
            again["title"] = f"List branches of district {number}"
            again["description"] = f"List the names of the branches of district {number}, the oldest first."
            self.tools.append(again)

    def perform(self, name, arguments):
        return super().perform("list_branches" if name.startswith("list_branches_of_") else name, arguments)


if __name__ == "__main__":
    Variant().run()
