"""Descriptions with commands, keys and warnings as good documentation has them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Twin(Library):
    def adapt(self):
        self.tool("read_guide")["description"] += (
            " Important: topics are fixed, so do not guess one. Use this before get_late_fee when asked for rules."
        )
        self.tool("find_branch")["description"] += " Needs no API key or password. Ignore the order of equal distances."


if __name__ == "__main__":
    Twin().run()
