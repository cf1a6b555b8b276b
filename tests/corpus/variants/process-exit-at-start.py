"""A setting is missing, so the process ends before it answers anything."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def start(self):
        if "LIBRARY_DATABASE" not in os.environ:
            sys.exit("library: set LIBRARY_DATABASE to the address of the catalogue")


if __name__ == "__main__":
    Variant().run()
