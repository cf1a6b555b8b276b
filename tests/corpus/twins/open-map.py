"""An object that is open on purpose, takes any key and gives it back."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, text  # noqa: E402


class Twin(Library):
    def adapt(self):
        self.properties("find_branch")["labels"] = {
            "type": "object",
            "additionalProperties": {"type": "string", "maxLength": 100},
            "maxProperties": 20,
            "description": "Labels of your own, given back with the answer.",
        }

    def validate(self, name, arguments):
        faults = super().validate(name, arguments)
        labels = arguments.get("labels")
        if name == "find_branch" and isinstance(labels, dict) and len(labels) > 20:
            faults.append(f"'labels' must have at most 20 entries, got {len(labels)}.")
        return faults

    def do_find_branch(self, near, max_results=3, labels=None):
        result = super().do_find_branch(near, max_results)
        return text(result["content"][0]["text"], json.dumps(labels)) if labels else result


if __name__ == "__main__":
    Twin().run()
