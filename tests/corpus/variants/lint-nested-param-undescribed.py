"""A field inside an object parameter has no description, while its neighbours have one."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.properties("list_loans")["filter"]["properties"]["since"]["description"]


if __name__ == "__main__":
    Variant().run()
