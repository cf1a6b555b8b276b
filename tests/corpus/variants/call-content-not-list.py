"""The content of a result is one block instead of a list of blocks."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import GUIDE, Library  # noqa: E402


class Variant(Library):
    def do_read_guide(self, topic):
        return {"content": {"type": "text", "text": GUIDE[topic]}}


if __name__ == "__main__":
    Variant().run()
