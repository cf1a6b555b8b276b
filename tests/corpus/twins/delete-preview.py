"""A tool whose name begins with a destroying verb and that only shows what would be deleted."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, READS, closed, text  # noqa: E402


class Twin(Library):
    def adapt(self):
        self.tools.append(
            {
                "name": "delete_preview",
                "title": "Preview a deletion",
                "description": "Show which loans a deletion would take in. Only reads; nothing is deleted.",
                "inputSchema": closed(),
                "annotations": READS,
            }
        )

    def do_delete_preview(self):
        return text("A deletion would take in one loan: L02.")


if __name__ == "__main__":
    Twin().run()
