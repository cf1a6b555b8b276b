"""Prompts can be listed, and no capability says so."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def methods(self):
        return {**super().methods(), "prompts/list": lambda params: {"prompts": []}}


if __name__ == "__main__":
    Variant().run()
