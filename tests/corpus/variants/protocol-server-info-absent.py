"""The handshake does not say who the server is."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def initialize(self, params):
        result = super().initialize(params)
        del result["serverInfo"]
        return result


if __name__ == "__main__":
    Variant().run()
