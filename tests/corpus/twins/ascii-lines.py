"""Messages in plain ASCII with escapes, spaces at the end and the line ends of another system."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Twin(Library):
    def encode(self, message):
        return json.dumps(json.loads(super().encode(message)), sort_keys=True).encode() + b" \r"


if __name__ == "__main__":
    Twin().run()
