"""Two optional arguments exclude each other, and the schema does not say so."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def validate(self, name, arguments):
        faults = super().validate(name, arguments)
        if name == "get_late_fee" and "rate" in arguments and "member" in arguments:
            faults.append("'rate' and 'member' cannot be given together.")
        return faults


if __name__ == "__main__":
    Variant().run()
