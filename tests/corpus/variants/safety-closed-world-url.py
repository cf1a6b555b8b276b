"""A tool that fetches any address says that it stays in a closed world."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, READS, closed, failure  # noqa: E402


class Variant(Library):
    def adapt(self):
        self.tools.append(
            {
                "name": "fetch_review",
                "title": "Fetch a review",
                "description": "Fetch the review of a book from a web address and return its text.",
                "inputSchema": closed(
                    {
                        "url": {
                            "type": "string",
                            "format": "uri",
                            "description": "Web address of the review.",
                        }
                    },
                    ["url"],
                ),
                "annotations": READS,
            }
        )

    def do_fetch_review(self, url):
        return failure("The address cannot be reached from here. Give the address of a page that is open to all.")


if __name__ == "__main__":
    Variant().run()
