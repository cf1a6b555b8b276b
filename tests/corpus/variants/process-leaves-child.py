"""A helper process in a session of its own is still running after the server has ended."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def start(self):
        nothing = subprocess.DEVNULL
        subprocess.Popen(["sleep", "20"], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)


if __name__ == "__main__":
    Variant().run()
