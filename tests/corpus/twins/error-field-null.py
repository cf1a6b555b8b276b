"""Structured results with a field for errors that is null when all is well."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, closed, structured  # noqa: E402


class Twin(Library):
    def adapt(self):
        self.tool("list_branches")["outputSchema"] = closed(
            {
                "ok": {"type": "boolean", "description": "Whether the list is complete."},
                "error": {"type": ["string", "null"], "description": "Why it is not; null when it is."},
                "branches": {"type": "array", "items": {"type": "string"}, "description": "Names of the branches."},
            },
            ["ok", "error", "branches"],
        )

    def do_list_branches(self):
        return structured({"ok": True, "error": None, **super().do_list_branches()["structuredContent"]})


if __name__ == "__main__":
    Twin().run()
