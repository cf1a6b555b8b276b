"""The error flag of a result is a text, on good answers as well."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_list_branches(self):
        return {**super().do_list_branches(), "isError": "false"}


if __name__ == "__main__":
    Variant().run()
