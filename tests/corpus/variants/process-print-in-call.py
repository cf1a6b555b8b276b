"""A line for debugging is printed to standard output in the middle of a call."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_find_branch(self, near, max_results=3):
        print("DEBUG find_branch near", near["latitude"], near["longitude"], flush=True)
        return super().do_find_branch(near, max_results)


if __name__ == "__main__":
    Variant().run()
