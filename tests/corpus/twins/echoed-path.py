"""A tool that names the path it was sent, in answers and in refusals."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from base import Library, READS, Refused, closed, shown, text  # noqa: E402


class Twin(Library):
    def adapt(self):
        self.tools.append(
            {
                "name": "check_path",
                "title": "Check a path",
                "description": "Check whether the path of a scan follows the naming of the archive. Reads no file.",
                "inputSchema": closed(
                    {
                        "path": {
                            "type": "string",
                            "maxLength": 300,
                            "description": "Absolute path of the page on your side.",
                            "examples": ["/home/reader/scans/B0001/page-001.png"],
                        }
                    },
                    ["path"],
                ),
                "annotations": READS,
            }
        )

    def do_check_path(self, path):
        if not path.startswith("/"):
            raise Refused(f"The path {shown(path)} must be absolute, such as /home/reader/scans/B0001/page-001.png.")
        return text(f"{path}: follows the naming of the archive")


if __name__ == "__main__":
    Twin().run()
