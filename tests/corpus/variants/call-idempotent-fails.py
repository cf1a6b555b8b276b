"""A tool that says it may be called again refuses the same call the second time."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, Refused  # noqa: E402


class Variant(Library):
    sent = ()

    def do_get_cover(self, book_id):
        if book_id in self.sent:
            raise Refused(f"The cover of {book_id} was already sent in this session.")
        result = super().do_get_cover(book_id)
        self.sent += (book_id,)
        return result


if __name__ == "__main__":
    Variant().run()
