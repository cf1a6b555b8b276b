"""A report of mcprobe (JSON, version 1), read and checked for completeness."""
import json

KEYS = (
    "schemaVersion", "tool", "target", "server", "overall", "grade", "scoreModel", "dimensions", "scores",
    "completeness", "probeState", "failure", "cutShort", "protocolVersion", "counts", "findings", "fuzz",
    "coverage", "safety", "trust", "untested", "verdict", "run",
)


def read_report(stdout):
    """(report, ""), or (None, why there is none)."""
    try:
        report = json.loads(stdout)
    except ValueError as error:
        return None, f"text that is not one JSON value ({error}): {stdout[:80]!r}"
    if not isinstance(report, dict):
        return None, "JSON that is no object"
    missing = [key for key in KEYS if key not in report]
    return (None, f"a report without {', '.join(missing)}") if missing else (report, "")
