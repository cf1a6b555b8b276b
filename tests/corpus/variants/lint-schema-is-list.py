"""The input schema of one tool is a list of parameters instead of a schema."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        schema = self.checked("find_branch")
        entries = [{"name": key, **entry} for key, entry in schema["properties"].items()]
        self.tool("find_branch")["inputSchema"] = entries


if __name__ == "__main__":
    Variant().run()
