"""Parameters that take values of two types, and mean it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library  # noqa: E402


class Twin(Library):
    def adapt(self):
        self.properties("search_books")["query"]["type"] = ["string", "integer"]
        self.properties("get_late_fee")["days"] = {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": 365},
                {"type": "string", "enum": ["week", "month"]},
            ],
            "description": "Days after the last day of the loan, or a span by its name.",
            "examples": [4],
        }

    def do_search_books(self, query, language=None, limit=10):
        return super().do_search_books(str(query), language, limit)

    def do_get_late_fee(self, days, rate=0.25, member=False):
        return super().do_get_late_fee({"week": 7, "month": 30}.get(days, days), rate, member)


if __name__ == "__main__":
    Twin().run()
