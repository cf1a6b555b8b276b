"""An input schema that declares draft-07 and uses what was right there."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Twin(Library):
    def adapt(self):
        schema = self.tool("find_branch")["inputSchema"]
        self.tool("find_branch")["inputSchema"] = {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "definitions": {"Place": schema["properties"]["near"]},
            **schema,
            "properties": {**schema["properties"], "near": {"$ref": "#/definitions/Place"}},
        }


if __name__ == "__main__":
    Twin().run()
