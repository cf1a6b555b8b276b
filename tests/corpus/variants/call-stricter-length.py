"""A text of fewer than three characters is refused although the schema allows one."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.checked("search_books")["properties"]["query"]["minLength"] = 3


if __name__ == "__main__":
    Variant().run()
