"""Log messages during calls, with the capability declared and the level heeded."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, RpcError  # noqa: E402


class Twin(Library):
    capabilities = {"tools": {}, "logging": {}}
    levels = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
    level = "info"

    def methods(self):
        return {**super().methods(), "logging/setLevel": self.set_level}

    def set_level(self, params):
        if params.get("level") not in self.levels:
            raise RpcError(-32602, f"'level' must be one of {', '.join(self.levels)}")
        self.level = params["level"]
        return {}

    def perform(self, name, arguments):
        if self.levels.index(self.level) <= 1:
            params = {"level": "info", "logger": "library", "data": f"{name} was called"}
            self.send({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
        return super().perform(name, arguments)


if __name__ == "__main__":
    Twin().run()
