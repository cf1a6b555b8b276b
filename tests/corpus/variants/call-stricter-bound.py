"""Numbers above twenty are refused although the schema allows fifty."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("search_books")["properties"]["limit"]["maximum"] = 20


if __name__ == "__main__":
    Variant().run()
