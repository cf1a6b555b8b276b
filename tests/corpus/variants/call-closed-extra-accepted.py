"""A tool that declares a closed object drops a key it does not know."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.checked("find_branch")["additionalProperties"]

    def do_find_branch(self, near, max_results=3, **_):
        return super().do_find_branch(near, max_results)


if __name__ == "__main__":
    Variant().run()
