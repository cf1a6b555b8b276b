"""The server asks for the roots of the client without looking whether it has any."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_list_branches(self):
        self.send({"jsonrpc": "2.0", "id": "roots-1", "method": "roots/list"})
        return super().do_list_branches()


if __name__ == "__main__":
    Variant().run()
