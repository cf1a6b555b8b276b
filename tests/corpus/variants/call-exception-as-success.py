"""A valid call fails inside the tool, and the message comes as a success."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, text  # noqa: E402


class Variant(Library):
    def do_read_guide(self, topic):
        return text(f"Error: reading the guide failed: no entry for topic {topic}")


if __name__ == "__main__":
    Variant().run()
