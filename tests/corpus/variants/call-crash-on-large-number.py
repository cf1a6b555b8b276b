"""A page number beyond 64 bits ends the process; the schema sets no limit."""

import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        del self.properties("list_loans")["page"]["maximum"]

    def do_list_loans(self, filter, tags=(), page=1):
        struct.pack(">q", int(page))
        return super().do_list_loans(filter, tags, page)


if __name__ == "__main__":
    Variant().run()
