"""Answers leave out the version of JSON-RPC."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def send(self, message):
        super().send({key: value for key, value in message.items() if key != "jsonrpc"})


if __name__ == "__main__":
    Variant().run()
