"""Bad arguments are refused by the protocol error for invalid parameters."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, RpcError  # noqa: E402


class Twin(Library):
    def refuse(self, name, arguments, faults):
        raise RpcError(-32602, f"Invalid arguments for {name}: {' '.join(faults[:5])}")


if __name__ == "__main__":
    Twin().run()
