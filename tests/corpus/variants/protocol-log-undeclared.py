"""Log messages are sent, and no capability says so."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_list_loans(self, filter, tags=(), page=1):
        params = {"level": "info", "logger": "loans", "data": "loans were listed"}
        self.send({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
        return super().do_list_loans(filter, tags, page)


if __name__ == "__main__":
    Variant().run()
