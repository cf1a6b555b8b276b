"""A valid call is never answered; the rest of the server goes on."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def handle(self, message):
        try:
            return super().handle(message)
        except TimeoutError:
            return None

    def do_find_branch(self, near, max_results=3):
        raise TimeoutError("the map service is not answering")


if __name__ == "__main__":
    Variant().run()
