"""A ping is refused as an unknown method."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def methods(self):
        return {name: call for name, call in super().methods().items() if name != "ping"}


if __name__ == "__main__":
    Variant().run()
