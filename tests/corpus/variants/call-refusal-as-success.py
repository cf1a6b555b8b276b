"""Bad arguments are refused in words, and the result is not marked as an error."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, text  # noqa: E402


class Variant(Library):
    def refuse(self, name, arguments, faults):
        return text("Error: " + " ".join(faults)) if name == "list_loans" else super().refuse(name, arguments, faults)


if __name__ == "__main__":
    Variant().run()
