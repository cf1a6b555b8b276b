"""A second process in the same folder ends at once, because the first holds a lock file."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    lock = Path("library.lock")

    def start(self):
        try:
            self.lock.touch(exist_ok=False)
        except FileExistsError:
            sys.exit("library: another process is running")

    def stop(self):
        self.lock.unlink()


if __name__ == "__main__":
    Variant().run()
