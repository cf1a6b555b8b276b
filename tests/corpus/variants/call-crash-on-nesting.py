"""A free object that is nested deeply ends the process."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.properties("find_branch")["context"] = {
            "type": "object",
            "additionalProperties": True,
            "description": "Anything that should stand in the log of the library.",
        }

    def do_find_branch(self, near, max_results=3, context=None):
        self.depth(context)
        return super().do_find_branch(near, max_results)

    def depth(self, value, level=0):
        if level > 100:
            raise RecursionError("maximum recursion depth exceeded")
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        return 1 + max((self.depth(entry, level + 1) for entry in inner), default=0)


if __name__ == "__main__":
    Variant().run()
