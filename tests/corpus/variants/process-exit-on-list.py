"""The process ends when it is asked for its tools."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def list_tools(self, params):
        return {"tools": [tool["inputSchemas"] for tool in self.tools]}


if __name__ == "__main__":
    Variant().run()
