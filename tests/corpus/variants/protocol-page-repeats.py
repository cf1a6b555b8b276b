"""Each page of the list has a new cursor and the same tools."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    page = 0

    def list_tools(self, params):
        self.page += 1
        return {"tools": self.tools, "nextCursor": f"page-{self.page}"}


if __name__ == "__main__":
    Variant().run()
