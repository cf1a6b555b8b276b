"""The arguments of a call may be a text that holds JSON."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def call_tool(self, params):
        arguments = params.get("arguments", {})
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments or "{}")
            except ValueError:
                arguments = {}
            if params.get("name") == "read_guide" and not arguments:
                arguments = {"topic": "opening"}
        return super().call_tool({**params, "arguments": arguments})


if __name__ == "__main__":
    Variant().run()
