"""Each request is logged to standard output as a JSON object that is no message."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def dispatch(self, method, params):
        self.send({"level": "info", "msg": "request", "method": method})
        return super().dispatch(method, params)


if __name__ == "__main__":
    Variant().run()
