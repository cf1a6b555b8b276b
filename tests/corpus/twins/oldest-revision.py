"""A server that speaks the oldest revision only, and nothing that came later."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Twin(Library):
    def adapt(self):
        for tool in self.tools:
            for key in ("title", "outputSchema", "annotations"):
                tool.pop(key, None)

    def initialize(self, params):
        return {**super().initialize(params), "protocolVersion": "2024-11-05"}

    def perform(self, name, arguments):
        return {"content": super().perform(name, arguments)["content"]}


if __name__ == "__main__":
    Twin().run()
