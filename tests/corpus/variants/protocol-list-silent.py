"""The list of tools is never answered."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def handle(self, message):
        listing = isinstance(message, dict) and message.get("method") == "tools/list"
        return None if listing else super().handle(message)


if __name__ == "__main__":
    Variant().run()
