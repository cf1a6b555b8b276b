"""A call to a tool that does not exist succeeds with a friendly text."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, text  # noqa: E402


class Variant(Library):
    def call_tool(self, params):
        name = params.get("name")
        if isinstance(name, str) and not any(tool["name"] == name for tool in self.tools):
            return text("Nothing to do.")
        return super().call_tool(params)


if __name__ == "__main__":
    Variant().run()
