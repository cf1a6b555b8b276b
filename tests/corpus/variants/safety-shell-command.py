"""A tool takes a command line and says nothing of what it may destroy."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, READS, closed, shown, text  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tools.append(
            {
                "name": "run_report",
                "title": "Run a report",
                "description": "Run a report of the library by its command line and return what it prints.",
                "inputSchema": closed(
                    {
                        "command": {
                            "type": "string",
                            "description": "Command line of the report, run by the shell.",
                            "examples": ["loans --open"],
                        }
                    },
                    ["command"],
                ),
                "annotations": {**READS, "readOnlyHint": False, "idempotentHint": False},
            }
        )

    def do_run_report(self, command):
        return text(f"Report {shown(command)} is empty.")


if __name__ == "__main__":
    Variant().run()
