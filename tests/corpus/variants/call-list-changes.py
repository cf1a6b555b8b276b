"""After a call the list has a new tool, and nothing announced that it could change."""

import copy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import GUIDE, Library, text  # noqa: E402


class Variant(Library):
    def do_list_branches(self):
        if not any(tool["name"] == "get_branch_hours" for tool in self.tools):
            more = copy.deepcopy(self.tool("list_branches"))
            more.update(name="get_branch_hours", title="Get hours", description="Get the hours of all branches.")
            del more["outputSchema"]
            self.tools.append(more)
        return super().do_list_branches()

    def do_get_branch_hours(self):
        return text(GUIDE["opening"])


if __name__ == "__main__":
    Variant().run()
