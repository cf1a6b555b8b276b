"""Schemas with references, one of them to itself."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import BOOK_ID, BRANCHES, Library, closed, structured  # noqa: E402


class Twin(Library):
    def adapt(self):
        schema = self.tool("get_book")["inputSchema"]
        schema["$defs"] = {"BookId": BOOK_ID}
        schema["properties"]["book_id"] = {"$ref": "#/$defs/BookId"}
        near = self.tool("find_branch")["inputSchema"]
        near["$defs"] = {"Place": near["properties"]["near"]}
        near["properties"]["near"] = {"$ref": "#/$defs/Place"}
        self.tool("list_branches")["outputSchema"] = {
            "$defs": {
                "Branch": closed(
                    {
                        "name": {"type": "string", "description": "Name of the branch."},
                        "parts": {
                            "type": "array",
                            "items": {"$ref": "#/$defs/Branch"},
                            "description": "Branches that belong to it.",
                        },
                    },
                    ["name", "parts"],
                )
            },
            **closed(
                {
                    "branches": {
                        "type": "array",
                        "items": {"$ref": "#/$defs/Branch"},
                        "description": "The branches as a tree.",
                    }
                },
                ["branches"],
            ),
        }

    def do_list_branches(self):
        parts = [{"name": branch["name"], "parts": []} for branch in BRANCHES[1:]]
        return structured({"branches": [{"name": BRANCHES[0]["name"], "parts": parts}]})


if __name__ == "__main__":
    Twin().run()
