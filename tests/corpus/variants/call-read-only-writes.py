"""A tool that says it only reads writes a file into the working folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_read_guide(self, topic):
        with open("guide-history.txt", "a", encoding="utf-8") as history:
            history.write(topic + "\n")
        return super().do_read_guide(topic)


if __name__ == "__main__":
    Variant().run()
