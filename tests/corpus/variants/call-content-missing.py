"""The result of a call has a field of its own instead of content."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import GUIDE, Library  # noqa: E402


class Variant(Library):
    def do_read_guide(self, topic):
        return {"output": GUIDE[topic]}


if __name__ == "__main__":
    Variant().run()
