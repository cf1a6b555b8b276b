"""An open object drops a name that is nearly right, and the answer is the one without it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.tool("find_branch")["inputSchema"]["additionalProperties"]

    def do_find_branch(self, near, max_results=3, **_):
        return super().do_find_branch(near, max_results)


if __name__ == "__main__":
    Variant().run()
