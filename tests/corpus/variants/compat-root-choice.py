"""The root of an input schema is an object with a choice beside it, which some clients refuse."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def adapt(self):
        schema = self.tool("get_cover")["inputSchema"]
        size = {"type": "string", "enum": ["small", "large"], "description": "Size of the image."}
        schema["properties"]["size"] = size
        schema["anyOf"] = [{"required": ["book_id"]}, {"required": ["book_id", "size"]}]

    def do_get_cover(self, book_id, size="small"):
        return super().do_get_cover(book_id)


if __name__ == "__main__":
    Variant().run()
