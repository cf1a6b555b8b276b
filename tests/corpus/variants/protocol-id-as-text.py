"""The number of a request comes back as a text."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def handle(self, message):
        greeted = self.initialized
        reply = super().handle(message)
        return {**reply, "id": str(reply["id"])} if greeted and reply and reply["id"] is not None else reply


if __name__ == "__main__":
    Variant().run()
