"""An array in place of the arguments counts as no arguments."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def call_tool(self, params):
        arguments = params.get("arguments")
        return super().call_tool({**params, "arguments": {} if isinstance(arguments, list) else arguments or {}})


if __name__ == "__main__":
    Variant().run()
