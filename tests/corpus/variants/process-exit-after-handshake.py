"""The process ends as soon as the handshake is over."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def handle(self, message):
        if isinstance(message, dict) and message.get("method") == "notifications/initialized":
            raise KeyError("clientInfo")
        return super().handle(message)


if __name__ == "__main__":
    Variant().run()
