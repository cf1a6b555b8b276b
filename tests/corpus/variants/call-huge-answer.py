"""One answer is far longer than a model can take in."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import GUIDE, Library, text  # noqa: E402


class Variant(Library):
    def do_read_guide(self, topic):
        return text(*(f"{line}. {GUIDE[topic]}" for line in range(1, 16001)))


if __name__ == "__main__":
    Variant().run()
