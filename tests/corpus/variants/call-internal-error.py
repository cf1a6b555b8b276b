"""Bad arguments are refused with the code of an internal error."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, RpcError  # noqa: E402


class Variant(Library):
    def refuse(self, name, arguments, faults):
        if name == "get_late_fee":
            raise RpcError(-32603, "Internal error: " + faults[0])
        return super().refuse(name, arguments, faults)


if __name__ == "__main__":
    Variant().run()
