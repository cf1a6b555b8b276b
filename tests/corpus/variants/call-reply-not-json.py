"""The answer to one tool is written the way the programming language prints it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def encode(self, message):
        content = message.get("result", {}).get("content", [{}])
        return repr(message).encode() if content[0].get("type") == "image" else super().encode(message)


if __name__ == "__main__":
    Variant().run()
