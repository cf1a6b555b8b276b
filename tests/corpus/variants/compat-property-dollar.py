"""A parameter is named with a dollar sign as in the web interface behind it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        properties = self.properties("search_books")
        properties["$top"] = properties.pop("limit")

    def perform(self, name, arguments):
        return super().perform(name, {"limit" if key == "$top" else key: entry for key, entry in arguments.items()})


if __name__ == "__main__":
    Variant().run()
