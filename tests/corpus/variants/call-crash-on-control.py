"""A text with a NUL character ends the process."""

import contextlib
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_search_books(self, query, language=None, limit=10):
        with contextlib.suppress(OSError):
            os.stat(query)
        return super().do_search_books(query, language, limit)


if __name__ == "__main__":
    Variant().run()
