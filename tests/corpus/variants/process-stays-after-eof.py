"""The process stays for half a minute after its standard input was closed."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def stop(self):
        time.sleep(30)


if __name__ == "__main__":
    Variant().run()
