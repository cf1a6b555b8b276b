"""The handshake names a revision that was never published."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def initialize(self, params):
        return {**super().initialize(params), "protocolVersion": "2025-09-30"}


if __name__ == "__main__":
    Variant().run()
