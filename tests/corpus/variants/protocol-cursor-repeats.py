"""Each page of the list names the same next page."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def list_tools(self, params):
        return {**super().list_tools(params), "nextCursor": "from-5"}


if __name__ == "__main__":
    Variant().run()
