"""A tool that says it only reads takes a free SQL statement."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, READS, closed, text  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tools.append(
            {
                "name": "query_catalogue",
                "title": "Query the catalogue",
                "description": "Run one SQL statement against the tables of the catalogue and return the rows.",
                "inputSchema": closed(
                    {
                        "sql": {
                            "type": "string",
                            "description": "SQL statement to run.",
                            "examples": ["SELECT 1"],
                        }
                    },
                    ["sql"],
                ),
                "annotations": READS,
            }
        )

    def do_query_catalogue(self, sql):
        return text("[]")


if __name__ == "__main__":
    Variant().run()
