"""A refusal names a file of the server by its absolute path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, failure  # noqa: E402


class Variant(Library):
    def refuse(self, name, arguments, faults):
        if name != "read_guide":
            return super().refuse(name, arguments, faults)
        return failure(*faults, "Topics are read from /srv/library/app/data/guide/index.json.")


if __name__ == "__main__":
    Variant().run()
