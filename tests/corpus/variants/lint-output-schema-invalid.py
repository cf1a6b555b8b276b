"""The output schema of one tool joins two types in one text."""

import copy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        schema = copy.deepcopy(self.tool("get_book")["outputSchema"])
        schema["properties"]["year"]["type"] = "integer|null"
        self.tool("get_book")["outputSchema"] = schema


if __name__ == "__main__":
    Variant().run()
