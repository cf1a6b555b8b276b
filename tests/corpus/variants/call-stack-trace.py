"""A refusal carries the stack trace of the server."""

import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, failure  # noqa: E402


class Variant(Library):
    def refuse(self, name, arguments, faults):
        if name != "get_book":
            return super().refuse(name, arguments, faults)
        try:
            raise ValueError(faults[0])
        except ValueError:
            return failure(traceback.format_exc())


if __name__ == "__main__":
    Variant().run()
