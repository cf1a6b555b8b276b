"""The code of an error is a word."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def send(self, message):
        if "error" in message:
            message = {**message, "error": {**message["error"], "code": "INVALID_REQUEST"}}
        super().send(message)


if __name__ == "__main__":
    Variant().run()
