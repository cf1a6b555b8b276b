"""Each answer carries a result and an error, one of them null."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def send(self, message):
        super().send({"result": None, "error": None, **message} if "id" in message else message)


if __name__ == "__main__":
    Variant().run()
