"""Notifications get an answer with a null id."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def handle(self, message):
        reply = super().handle(message)
        if reply is None and isinstance(message, dict) and "method" in message:
            return {"jsonrpc": "2.0", "id": None, "result": {}}
        return reply


if __name__ == "__main__":
    Variant().run()
