"""One tool takes four seconds for each good answer."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_list_branches(self):
        time.sleep(4)
        return super().do_list_branches()


if __name__ == "__main__":
    Variant().run()
