"""The list of tools is answered with an internal error."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, RpcError  # noqa: E402


class Variant(Library):
    def list_tools(self, params):
        raise RpcError(-32603, "Internal error: the registry is locked")


if __name__ == "__main__":
    Variant().run()
