"""The name of one tool has a Cyrillic letter that looks like a Latin one."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tool("get_book")["name"] = "g\u0435t_book"

    def perform(self, name, arguments):
        return super().perform(name.replace("\u0435", "e"), arguments)


if __name__ == "__main__":
    Variant().run()
