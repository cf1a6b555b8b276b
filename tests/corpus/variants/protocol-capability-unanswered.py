"""Resources are declared, and their list is an unknown method."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    capabilities = {"tools": {}, "resources": {}}


if __name__ == "__main__":
    Variant().run()
