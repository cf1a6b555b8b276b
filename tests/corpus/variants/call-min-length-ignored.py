"""An empty text is taken although one character is declared as the least, and matches everything."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("search_books")["properties"]["query"]["minLength"]


if __name__ == "__main__":
    Variant().run()
