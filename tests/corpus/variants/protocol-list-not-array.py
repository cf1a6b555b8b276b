"""The list of tools is an object with the names as keys."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def list_tools(self, params):
        return {"tools": {tool["name"]: tool for tool in self.tools}}


if __name__ == "__main__":
    Variant().run()
