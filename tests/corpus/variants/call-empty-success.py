"""A valid call succeeds with an empty text."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, text  # noqa: E402


class Variant(Library):
    def do_read_guide(self, topic):
        return text("")


if __name__ == "__main__":
    Variant().run()
