"""The data of an image is a whole data URL instead of base64."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_get_cover(self, book_id):
        result = super().do_get_cover(book_id)
        result["content"][0]["data"] = "data:image/png;base64," + result["content"][0]["data"]
        return result


if __name__ == "__main__":
    Variant().run()
