"""A method that does not exist is answered with an empty result."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def dispatch(self, method, params):
        return super().dispatch(method, params) if method in self.methods() else {}


if __name__ == "__main__":
    Variant().run()
