"""One tool on each page of the list."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Twin(Library):
    page_size = 1


if __name__ == "__main__":
    Twin().run()
