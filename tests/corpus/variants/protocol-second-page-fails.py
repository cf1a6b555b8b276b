"""The cursor that the server gave is refused when it comes back."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, RpcError  # noqa: E402


class Variant(Library):
    def list_tools(self, params):
        if "cursor" in params:
            raise RpcError(-32602, "Unknown cursor")
        return super().list_tools(params)


if __name__ == "__main__":
    Variant().run()
