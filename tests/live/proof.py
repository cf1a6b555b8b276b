"""Do the cases keep their word, and does what the report accuses stand on a raw exchange?

Usage: proof.py EVIDENCE REPORT, with a Python that has `jsonschema` (the one that
install.py makes). Prints one JSON object: `problems`, a sentence each, and `proved`,
how many cases, silent accepts and crashes were held against it.

The validator is not the one that mcprobe uses. Every case is judged by its class:

- `generated` has to fit the tool's inputSchema, `malformed` must not. Arguments that are
  no object break the protocol, whatever the schema says.
- `coercion` is apart: it breaks the declared type, yet its acceptance is no fault, so
  nothing rests on it. `extraKey` is apart: it is sent to open objects, where one more key
  is allowed and only noted. `edge` is apart: it promises nothing but that a server should
  survive it, and whether it fits may differ from one dialect or validator to another
  (1.0 for an integer, a format that nobody asserts). `example` is the user's own word.

Numbers such as 1e400 fit no float, so all numbers are read as Decimal or int.
"""
import decimal
import json
import re
import sys
from pathlib import Path

import jsonschema

# The largest exponent that a case uses has three digits; a remainder needs as many places.
decimal.getcontext().prec = 2000
DEFAULT = jsonschema.Draft202012Validator
PROMISES = {"generated": True, "malformed": False}


def main():
    evidence, report = (read(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:3])
    schemas = schemas_of(evidence)
    problems, cases = case_problems(evidence["fuzz"]["rows"], schemas)
    found, accepts, crashes = accusation_problems(report, schemas, evidence["target"]["transport"] == "stdio")
    proved = {"cases": cases, "accepts": accepts, "crashes": crashes}
    print(json.dumps({"problems": problems + found, "proved": proved}))
    return 0


def read(text):
    """A JSON text with every digit of its numbers."""
    return json.loads(text, parse_float=decimal.Decimal)


def schemas_of(evidence):
    """The input schema of each tool by name; of tools with one name the first, which is the one called."""
    schemas = {}
    for entry in evidence["inventory"]["tools"]["entries"]:
        schemas.setdefault(entry.get("name"), entry.get("inputSchema"))
    return schemas


# --- judging by a schema ---


def is_whole(_, value):
    return is_number(_, value) and (isinstance(value, int) or value == value.to_integral_value())


def is_number(_, value):
    return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)


def fits(schema, value):
    """Whether a value fits; formats are asserted where the dialect says so, up to draft 7."""
    kind = jsonschema.validators.validator_for(schema, default=DEFAULT)
    kind.check_schema(json.loads(json.dumps(schema, default=float)))
    types = kind.TYPE_CHECKER.redefine("integer", is_whole).redefine("number", is_number)
    strict = jsonschema.validators.extend(kind, type_checker=types)
    asserts = kind in (jsonschema.Draft7Validator, jsonschema.Draft6Validator, jsonschema.Draft4Validator)
    return strict(schema, format_checker=kind.FORMAT_CHECKER if asserts else None).is_valid(value)


def case_problems(rows, schemas):
    """What is wrong with the cases of evidence, and how many were judged."""
    problems, judged = [], 0
    for row in rows:
        case = row["case"]
        promise = PROMISES.get(case["class"])
        if promise is None:
            continue
        judged += 1
        fit = takes(schemas.get(row["tool"]), case["arguments"])
        if fit != promise:
            says = "fits" if fit else "does not fit"
            problems.append(f"{row['tool']} {case['label']} is {case['class']} and {says} the inputSchema")
    return problems, judged


def takes(schema, arguments):
    """Whether a call with these arguments keeps to the protocol and to the schema."""
    if not isinstance(arguments, dict):
        return False
    return schema is None or fits(schema, arguments)


# --- what the report accuses ---


def accusation_problems(report, schemas, is_stdio):
    """What lacks a proof, and how many silent accepts and crashes there are."""
    problems, accepts, crashes = [], 0, 0
    for row in report["fuzz"]:
        where = f"{row['name']} {row['case']}"
        if row["silentlyAccepted"]:
            accepts += 1
            problems += [f"silent accept {where}: {why}" for why in accept_problems(row, schemas)]
        if row["outcome"] == "protocolCrash":
            crashes += 1
            problems += [f"crash {where}: {why}" for why in crash_problems(row, is_stdio)]
    return problems + finding_problems(report), accepts, crashes


def accept_problems(row, schemas):
    """The request breaks the schema, and the reply to it is a success."""
    exchange = row.get("exchange") or {}
    arguments, problems = request_arguments(row, exchange)
    if not problems and takes(schemas.get(row["name"]), arguments):
        problems.append("the arguments of the request fit the inputSchema")
    return problems + success_problems(exchange)


def request_arguments(row, exchange):
    """The arguments that went over the wire, and what is wrong with the request."""
    try:
        request = read(exchange.get("request", ""))
        params = request["params"]
        arguments = params["arguments"]
    except (ValueError, KeyError, TypeError) as error:
        return None, [f"its request is no call ({error!r})"]
    problems = []
    if request.get("method") != "tools/call" or params.get("name") != row["name"]:
        problems.append(f"its request is another one: {request.get('method')} {params.get('name')}")
    stated = row["arguments"] if "arguments" in row else read(row.get("argumentsText", "null"))
    if arguments != stated:
        problems.append("its request has other arguments than the row")
    return arguments, problems


def success_problems(exchange):
    """The reply answers the request, has a result, and does not say that it failed."""
    reply, request = exchange.get("reply"), exchange.get("request", "")
    if not reply:
        return ["there is no reply"]
    if "replyBytes" in exchange:
        return cut_problems(reply, exchange["replyBytes"])
    try:
        message, asked = read(reply), read(request)
    except ValueError as error:
        return [f"its reply is no JSON ({error})"]
    if not isinstance(message, dict) or message.get("id") != asked.get("id"):
        return ["its reply answers another request"]
    result = message.get("result")
    if "error" in message or not isinstance(result, dict):
        return ["its reply is no result"]
    return ["its reply says that the call failed"] if result.get("isError") is True else []


def cut_problems(reply, whole):
    """Of a reply that was cut only the beginning is there."""
    if whole <= len(reply.encode()):
        return ["its reply is said to be cut and is not"]
    if re.search(r'"isError"\s*:\s*true', reply) or not re.match(r'\s*\{.*"result"\s*:', reply, re.DOTALL):
        return ["the beginning of its reply is no success"]
    return []


def crash_problems(row, is_stdio):
    """The request is there, and so is the end of the process or a reply that is none."""
    exchange = row.get("exchange") or {}
    _, problems = request_arguments(row, exchange)
    status = exchange.get("exit")
    ended = isinstance(status, dict) and any(isinstance(status.get(key), int) for key in ("code", "signal"))
    if status is not None and not ended:
        problems.append(f"its exit status is none: {status!r}")
    if ended:
        return problems
    if exchange.get("reply"):
        return problems + ([] if is_broken(exchange) else ["its reply is a good one, and nothing ended"])
    if is_stdio or not exchange.get("failure"):
        problems.append("nothing ended and nothing broken came")
    return problems


def is_broken(exchange):
    """Whether what came is no JSON-RPC reply to the request."""
    try:
        message, asked = read(exchange["reply"]), read(exchange["request"])
    except ValueError:
        return True
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or message.get("id") != asked.get("id"):
        return True
    return isinstance(message.get("result"), dict) == isinstance(message.get("error"), dict)


def finding_problems(report):
    """Each finding about a silent accept or a crash names a row that shows it."""
    shows = {
        "call.silent_accept": lambda row: row["silentlyAccepted"],
        "call.crash": lambda row: row["outcome"] == "protocolCrash",
    }
    problems = []
    for finding in report["findings"]:
        tool = finding["location"].get("tool")
        if finding["code"] not in shows or tool is None:
            continue
        named = [row for row in report["fuzz"] if (row["name"], row["case"]) == (tool, finding.get("case"))]
        if not any(shows[finding["code"]](row) for row in named):
            problems.append(f"{finding['code']} {tool} {finding.get('case')}: no call in the report shows it")
    return problems


if __name__ == "__main__":
    sys.exit(main())
