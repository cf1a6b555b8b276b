"""A line that is no JSON ends the process."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def line(self, line):
        json.loads(line)
        super().line(line)


if __name__ == "__main__":
    Variant().run()
