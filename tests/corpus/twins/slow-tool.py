"""One tool takes a second and a half for each good answer."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Twin(Library):
    def do_get_cover(self, book_id):
        time.sleep(1.5)
        return super().do_get_cover(book_id)


if __name__ == "__main__":
    Twin().run()
