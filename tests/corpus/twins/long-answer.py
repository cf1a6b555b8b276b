"""A long answer that is still within what a model can take in."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import GUIDE, Library, text  # noqa: E402


class Twin(Library):
    def do_read_guide(self, topic):
        return text(*(f"{line}. {GUIDE[topic]}" for line in range(1, 601)))


if __name__ == "__main__":
    Twin().run()
