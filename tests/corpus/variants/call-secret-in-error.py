"""A refusal quotes the address of the database with its password."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, failure  # noqa: E402


class Variant(Library):
    def refuse(self, name, arguments, faults):
        if name != "list_loans":
            return super().refuse(name, arguments, faults)
        source = "postgresql://catalogue:Tq7vW2mZx9Lk4Rb8@db.library.example:5432/loans"
        return failure(*faults, f"Query was not sent to {source}")


if __name__ == "__main__":
    Variant().run()
