"""The process ignores the closed input and the stop signal."""

import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def stop(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(30)


if __name__ == "__main__":
    Variant().run()
