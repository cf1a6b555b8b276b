"""The name of one tool is longer than many clients take."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402

NAME = "list_loans_of_all_branches_of_the_library_that_pass_a_filter_on_state"


class Variant(Library):
    def adapt(self):
        self.tool("list_loans")["name"] = NAME

    def perform(self, name, arguments):
        return super().perform("list_loans" if name == NAME else name, arguments)


if __name__ == "__main__":
    Variant().run()
