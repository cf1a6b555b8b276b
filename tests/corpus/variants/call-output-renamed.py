"""The structured result spells its only field otherwise than the output schema."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, structured  # noqa: E402


class Variant(Library):
    def do_list_branches(self):
        return structured({"branch_names": super().do_list_branches()["structuredContent"]["branches"]})


if __name__ == "__main__":
    Variant().run()
