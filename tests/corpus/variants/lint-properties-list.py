"""The properties of an input schema are a list of entries instead of an object."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        schema = self.checked("get_late_fee")
        entries = [{"name": key, **entry} for key, entry in schema["properties"].items()]
        self.tool("get_late_fee")["inputSchema"]["properties"] = entries


if __name__ == "__main__":
    Variant().run()
