"""A tool that removes records for good says that it does not destroy."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, READS, closed, text  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tools.append(
            {
                "name": "purge_loans",
                "title": "Purge loans",
                "description": "Remove all returned loans from the records for good; they cannot be brought back.",
                "inputSchema": closed(
                    {
                        "before": {
                            "type": "string",
                            "format": "date",
                            "description": "Remove loans that began before this day.",
                        }
                    },
                    ["before"],
                ),
                "annotations": {**READS, "readOnlyHint": False},
            }
        )

    def do_purge_loans(self, before):
        return text("No loan was removed.")


if __name__ == "__main__":
    Variant().run()
