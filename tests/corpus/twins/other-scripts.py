"""Texts in other scripts, with the joiners that they need, and with emoji made of several characters."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import GUIDE, Library, text  # noqa: E402


class Twin(Library):
    def adapt(self):
        persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0646\u0645"
        self.tool("read_guide")["description"] += f" Also for readers who say {persian}."
        family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
        self.tool("list_branches")["description"] += f" With a corner for families: {family}."

    def do_read_guide(self, topic):
        return text(GUIDE[topic], "\u56f3\u66f8\u9928\u3078\u3088\u3046\u3053\u305d")


if __name__ == "__main__":
    Twin().run()
