"""A link to a resource has no name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Variant(Library):
    def do_read_guide(self, topic):
        result = super().do_read_guide(topic)
        result["content"].append({"type": "resource_link", "uri": f"guide://topics/{topic}"})
        return result


if __name__ == "__main__":
    Variant().run()
