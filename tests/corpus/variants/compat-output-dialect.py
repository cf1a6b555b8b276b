"""An output schema declares draft-07, which some clients cannot check results with."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        schema = {"$schema": "http://json-schema.org/draft-07/schema#", **self.tool("get_book")["outputSchema"]}
        self.tool("get_book")["outputSchema"] = schema


if __name__ == "__main__":
    Variant().run()
