"""Answers are indented over several lines."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def encode(self, message):
        return json.dumps(message, indent=2).encode()


if __name__ == "__main__":
    Variant().run()
