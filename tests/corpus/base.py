"""The clean server of the corpus: a small library catalogue over stdio.

It speaks the lifecycle of revision 2025-11-25 and answers every request by the text of JSON-RPC. Arguments are
checked against the schema that the tool declares, results fit the output schema, refusals say what to change.
Nothing is written, nothing is remembered between two calls.

A variant is a subclass of `Library`. Places to hook in, from the outside to the inside:

    start, write, send     the process and its bytes
    handle, dispatch       one message, one request
    initialize, list_tools, call_tool
    validate, refuse       the arguments against `checked(name)`, and the answer to bad ones
    perform                the work of one tool; by default the method `do_<name>`

`tool(name)` is the declaration and changes what is listed *and* what is checked; `checked(name)` cuts the two apart:
from then on it is the schema that calls are really held against.
"""

import base64
import copy
import json
import math
import re
import signal
import struct
import sys
import zlib
from datetime import date

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
PAGE_SIZE = 5

BOOKS = [
    {"id": "B0001", "title": "The Sea Road", "author": "Ida Lund", "year": 1931, "language": "en"},
    {"id": "B0002", "title": "Inland Sea", "author": "Paul Okoro", "year": 1987, "language": "en"},
    {"id": "B0003", "title": "Das Meer am Morgen", "author": "Jana Vogt", "year": 2004, "language": "de"},
    {"id": "B0004", "title": "Un jardin sous la neige", "author": "Luc Armand", "year": 1968, "language": "fr"},
    {"id": "B0005", "title": "Maps of Quiet Places", "author": "Ida Lund", "year": None, "language": "en"},
]
LOANS = [
    {"loan": "L01", "book": "B0001", "status": "open", "since": "2025-02-03", "tags": ["reserved"]},
    {"loan": "L02", "book": "B0003", "status": "returned", "since": "2025-03-11", "tags": []},
    {"loan": "L03", "book": "B0004", "status": "open", "since": "2025-05-20", "tags": ["renewed", "reserved"]},
    {"loan": "L04", "book": "B0002", "status": "overdue", "since": "2024-12-01", "tags": ["renewed"]},
]
BRANCHES = [
    {"name": "Harbour", "latitude": 53.54, "longitude": 9.98},
    {"name": "Old Town", "latitude": 53.87, "longitude": 10.69},
    {"name": "Hill Street", "latitude": 54.32, "longitude": 10.13},
]
GUIDE = {
    "borrowing": "A card holder may borrow ten books at a time, each for twenty-eight days.",
    "fees": "Each day after the last one costs 0.25, with members paying half of it.",
    "opening": "All branches are open from Tuesday to Saturday, ten to six.",
}
READS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}


def closed(properties=None, required=()):
    """An object schema that takes these keys and no other."""
    schema = {"type": "object", "properties": properties or {}, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


BOOK = closed(
    {
        "id": {"type": "string", "description": "Identifier, such as B0001."},
        "title": {"type": "string", "description": "Title as printed."},
        "author": {"type": "string", "description": "Name of the author."},
        "year": {"type": ["integer", "null"], "description": "Year of publication; null where unknown."},
        "language": {"type": "string", "description": "Two-letter code of the language."},
    },
    ["id", "title", "author", "year", "language"],
)
BOOK_ID = {
    "type": "string",
    "pattern": "^B[0-9]{4}$",
    "description": "Identifier of the book: the letter B and four digits, as search_books returns it.",
    "examples": ["B0001"],
}
TOOLS = [
    {
        "name": "search_books",
        "title": "Search books",
        "description": "Search the catalogue by words of the title or the author. Returns matching books, oldest first.",
        "inputSchema": closed(
            {
                "query": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "Words to look for in title and author; upper and lower case are the same.",
                    "examples": ["sea"],
                },
                "language": {
                    "type": "string",
                    "enum": ["en", "de", "fr"],
                    "description": "Only books in this language. All languages when left out.",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 50,
                    "default": 10,
                    "description": "Greatest number of books to return.",
                },
            },
            ["query"],
        ),
        "outputSchema": closed(
            {
                "total": {"type": "integer", "minimum": 0, "description": "Number of all matches."},
                "books": {"type": "array", "items": BOOK, "description": "The matches, up to the limit."},
            },
            ["total", "books"],
        ),
        "annotations": READS,
    },
    {
        "name": "get_book",
        "title": "Get a book",
        "description": "Get the full record of one book of the catalogue by its identifier.",
        "inputSchema": closed({"book_id": BOOK_ID}, ["book_id"]),
        "outputSchema": BOOK,
        "annotations": READS,
    },
    {
        "name": "list_loans",
        "title": "List loans",
        "description": "List the loans of the library that pass a filter, five on a page, oldest first.",
        "inputSchema": closed(
            {
                "filter": {
                    **closed(
                        {
                            "status": {
                                "type": "string",
                                "enum": ["open", "overdue", "returned"],
                                "description": "State that a loan must have.",
                            },
                            "since": {
                                "type": "string",
                                "format": "date",
                                "description": "First day of the loan, or later, as YYYY-MM-DD.",
                                "examples": ["2025-01-31"],
                            },
                        },
                        ["status"],
                    ),
                    "description": "What a loan must fulfil to be listed.",
                },
                "tags": {
                    "type": "array",
                    "items": {"type": "string", "enum": ["renewed", "reserved"]},
                    "maxItems": 2,
                    "uniqueItems": True,
                    "description": "Marks that a loan must carry, all of them.",
                },
                "page": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 1, "description": "Page, from 1."},
            },
            ["filter"],
        ),
        "outputSchema": closed(
            {
                "page": {"type": "integer", "description": "The page that this is."},
                "loans": {
                    "type": "array",
                    "description": "Loans on this page.",
                    "items": closed(
                        {
                            "loan": {"type": "string", "description": "Identifier of the loan."},
                            "book": {"type": "string", "description": "Identifier of the book."},
                            "status": {"type": "string", "description": "State of the loan."},
                            "since": {"type": "string", "description": "First day, as YYYY-MM-DD."},
                            "tags": {"type": "array", "items": {"type": "string"}, "description": "Marks."},
                        },
                        ["loan", "book", "status", "since", "tags"],
                    ),
                },
            },
            ["page", "loans"],
        ),
        "annotations": READS,
    },
    {
        "name": "get_late_fee",
        "title": "Get the late fee",
        "description": "Work out the fee for a book that comes back late. Nothing is charged.",
        "inputSchema": closed(
            {
                "days": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 365,
                    "description": "Days after the last day of the loan.",
                    "examples": [4],
                },
                "rate": {
                    "type": "number",
                    "exclusiveMinimum": 0,
                    "maximum": 5,
                    "default": 0.25,
                    "description": "Fee for one day, in euros.",
                },
                "member": {"type": "boolean", "default": False, "description": "Whether the reader is a member."},
            },
            ["days"],
        ),
        "outputSchema": closed(
            {
                "fee": {"type": "number", "minimum": 0, "description": "Fee in euros."},
                "currency": {"type": "string", "const": "EUR", "description": "Currency of the fee."},
            },
            ["fee", "currency"],
        ),
        "annotations": READS,
    },
    {
        "name": "find_branch",
        "title": "Find a branch",
        "description": "Find the branches of the library that are nearest to a place, with their distance.",
        "inputSchema": closed(
            {
                "near": {
                    **closed(
                        {
                            "latitude": {
                                "type": "number",
                                "minimum": -90,
                                "maximum": 90,
                                "description": "Degrees north.",
                                "examples": [53.55],
                            },
                            "longitude": {
                                "type": "number",
                                "minimum": -180,
                                "maximum": 180,
                                "description": "Degrees east.",
                                "examples": [9.99],
                            },
                        },
                        ["latitude", "longitude"],
                    ),
                    "description": "The place to measure from.",
                },
                "max_results": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 3,
                    "default": 3,
                    "description": "Greatest number of branches to return.",
                },
            },
            ["near"],
        ),
        "annotations": READS,
    },
    {
        "name": "list_branches",
        "title": "List branches",
        "description": "List the names of all branches of the library.",
        "inputSchema": closed(),
        "outputSchema": closed(
            {"branches": {"type": "array", "items": {"type": "string"}, "description": "Names of the branches."}},
            ["branches"],
        ),
        "annotations": READS,
    },
    {
        "name": "read_guide",
        "title": "Read the guide",
        "description": "Read one topic of the guide for readers as plain text.",
        "inputSchema": closed(
            {"topic": {"type": "string", "enum": sorted(GUIDE), "description": "Topic of the guide to read."}}, ["topic"]
        ),
        "annotations": READS,
    },
    {
        "name": "get_cover",
        "title": "Get a cover",
        "description": "Get the cover of one book as a small image, with a line of text that names the book.",
        "inputSchema": closed({"book_id": BOOK_ID}, ["book_id"]),
        "annotations": READS,
    },
]


class RpcError(Exception):
    """An error of the protocol: code and message, and data where it helps."""

    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.error = {"code": code, "message": message, **({} if data is None else {"data": data})}


class Refused(Exception):
    """The tool cannot do what it was asked for; the text says why."""


# Results


def text(*lines):
    return {"content": [{"type": "text", "text": "\n".join(lines)}]}


def structured(value):
    """A structured result, with the same as text for clients that read only text."""
    return {**text(json.dumps(value, ensure_ascii=False)), "structuredContent": value}


def failure(*lines):
    return {**text(*lines), "isError": True}


def png(shade):
    """A grey image of one pixel, as base64."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes([0, shade]))) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + body).decode()


# Checking arguments


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and value.is_integer()
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    kinds = {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}
    return isinstance(value, kinds[name])


def same(a, b):
    """Equality of JSON values: 1 is 1.0, and true is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b


def shown(value):
    """A value for a message: short, on one line."""
    if isinstance(value, (list, dict)):
        return "an array" if isinstance(value, list) else "an object"
    if isinstance(value, float) and not math.isfinite(value):
        return "a number that is too large"
    if isinstance(value, str):
        return json.dumps(value[:40]) + (f" and {len(value) - 40} more characters" if len(value) > 40 else "")
    return json.dumps(value)[:40]


def is_date(value):
    try:
        return bool(re.fullmatch(r"\d{4}-\d{2}-\d{2}", value)) and date.fromisoformat(value) is not None
    except ValueError:
        return False


def check(schema, value, where="arguments", root=None):
    """What is wrong with a value, one sentence for each fault, none when it fits."""
    root = schema if root is None else root
    if schema is True:
        return []
    if schema is False:
        return [f"{where} must be left out."]
    if "$ref" in schema:
        target = root
        for key in schema["$ref"].removeprefix("#").split("/")[1:]:
            target = target[key]
        return check(target, value, where, root)
    faults = []
    for part in schema.get("allOf", []):
        faults += check(part, value, where, root)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            fits = sum(not check(part, value, where, root) for part in schema[key])
            if fits == 0 or key == "oneOf" and fits > 1:
                faults.append(f"{where} must fit {'one' if key == 'oneOf' else 'at least one'} of the described forms.")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_type(value, kind) for kind in kinds):
        return faults + [f"{where} must be of type {' or '.join(kinds)}, got {shown(value)}."]
    if "enum" in schema and not any(same(value, entry) for entry in schema["enum"]):
        allowed = ", ".join(json.dumps(entry) for entry in schema["enum"])
        faults.append(f"{where} must be one of {allowed}, got {shown(value)}.")
    if "const" in schema and not same(value, schema["const"]):
        faults.append(f"{where} must be {json.dumps(schema['const'])}, got {shown(value)}.")
    if is_type(value, "number"):
        for key, wrong, words in (
            ("minimum", lambda v, b: v < b, "at least"),
            ("maximum", lambda v, b: v > b, "at most"),
            ("exclusiveMinimum", lambda v, b: v <= b, "more than"),
            ("exclusiveMaximum", lambda v, b: v >= b, "less than"),
        ):
            if key in schema and wrong(value, schema[key]):
                faults.append(f"{where} must be {words} {schema[key]}, got {shown(value)}.")
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0):
            faults.append(f"{where} must have at least {schema['minLength']} characters, got {len(value)}.")
        if len(value) > schema.get("maxLength", math.inf):
            faults.append(f"{where} must have at most {schema['maxLength']} characters, got {len(value)}.")
        if "pattern" in schema and not re.search(re.sub(r"\$$", r"\\Z", schema["pattern"]), value):
            faults.append(f"{where} must match the pattern {schema['pattern']}, got {shown(value)}.")
        if schema.get("format") == "date" and not is_date(value):
            faults.append(f"{where} must be a date written as YYYY-MM-DD, got {shown(value)}.")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            faults.append(f"{where} must have at least {schema['minItems']} items, got {len(value)}.")
        if len(value) > schema.get("maxItems", math.inf):
            faults.append(f"{where} must have at most {schema['maxItems']} items, got {len(value)}.")
        if schema.get("uniqueItems") and any(same(a, b) for i, a in enumerate(value) for b in value[:i]):
            faults.append(f"{where} must not hold the same item twice.")
        if "items" in schema:
            for i, item in enumerate(value[:100]):
                faults += check(schema["items"], item, f"{where}[{i}]", root)
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for key in schema.get("required", []):
            if key not in value:
                kind = known.get(key, {}).get("type", "any") if isinstance(known.get(key), dict) else "any"
                faults.append(f"{where} must have the field '{key}' (type {kind}), which is missing.")
        other = schema.get("additionalProperties", True)
        for key, entry in value.items():
            place = f"'{key[:60]}'" if where == "arguments" else f"{where}.{key[:60]}"
            if key in known:
                faults += check(known[key], entry, place, root)
            elif other is False:
                faults.append(f"{where} must not have the field {shown(key)}; known fields: {', '.join(known) or 'none'}.")
            else:
                faults += check(other, entry, place, root)
    return faults


class Library:
    """The server. One instance is one process."""

    name = "library"
    version = "1.4.0"
    instructions = "Find books with search_books first; the other tools take the identifiers that it returns."
    capabilities = {"tools": {}}
    page_size = PAGE_SIZE

    def __init__(self):
        self.tools = json.loads(json.dumps(TOOLS))  # no part is shared between two tools
        self.apart = {}
        self.initialized = False
        self.adapt()

    def adapt(self):
        """Where a variant changes declarations."""

    def tool(self, name):
        return next(tool for tool in self.tools if tool.get("name") == name)

    def properties(self, name):
        return self.tool(name)["inputSchema"]["properties"]

    def checked(self, name):
        """The schema that calls are held against, apart from the declared one from now on."""
        if name not in self.apart:
            self.apart[name] = copy.deepcopy(self.tool(name)["inputSchema"])
        return self.apart[name]

    # The process and its bytes

    def start(self):
        """Before the first message is read."""

    def write(self, data):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def encode(self, message):
        return json.dumps(message, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")

    def send(self, message):
        self.write(self.encode(message) + b"\n")

    def run(self):
        sys.setrecursionlimit(12000)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        try:
            self.start()
            for line in sys.stdin.buffer:
                if line.strip():
                    self.line(line)
            self.stop()
        except BrokenPipeError:
            sys.stderr.close()

    def stop(self):
        """After standard input was closed."""

    def line(self, line):
        def constant(name):
            raise ValueError(f"{name} is no JSON")

        try:
            message = json.loads(line.decode("utf-8"), parse_constant=constant)
        except (ValueError, RecursionError):
            return self.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}})
        reply = self.handle(message)
        if reply is not None:
            self.send(reply)

    # One message

    def handle(self, message):
        """The reply to a message, or None where it gets none."""
        if isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message):
            return None
        ident = message.get("id") if isinstance(message, dict) else None
        usable = isinstance(ident, str) or is_type(ident, "integer")
        proper = isinstance(message, dict) and message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str)
        if not proper or "id" in message and not usable:
            error = {"code": -32600, "message": "Invalid request: a single JSON-RPC 2.0 object with method and id is needed"}
            return {"jsonrpc": "2.0", "id": ident if usable else None, "error": error}
        if "id" not in message:
            return None
        try:
            params = message.get("params", {})
            if not isinstance(params, dict):
                raise RpcError(-32602, "params must be an object")
            return {"jsonrpc": "2.0", "id": ident, "result": self.dispatch(message["method"], params)}
        except RpcError as error:
            return {"jsonrpc": "2.0", "id": ident, "error": error.error}

    def methods(self):
        return {
            "initialize": self.initialize,
            "ping": lambda params: {},
            "tools/list": self.list_tools,
            "tools/call": self.call_tool,
        }

    def dispatch(self, method, params):
        methods = self.methods()
        if method not in methods:
            raise RpcError(-32601, f"Method not found: {method[:80]}")
        if not self.initialized and method not in ("initialize", "ping"):
            raise RpcError(-32600, "initialize must be sent first")
        return methods[method](params)

    def initialize(self, params):
        if self.initialized:
            raise RpcError(-32600, "initialize was already answered in this session")
        for key, kind in (("protocolVersion", "string"), ("capabilities", "object"), ("clientInfo", "object")):
            if not is_type(params.get(key), kind):
                raise RpcError(-32602, f"initialize needs '{key}' of type {kind}")
        self.initialized = True
        wanted = params["protocolVersion"]
        return {
            "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
            "capabilities": self.capabilities,
            "serverInfo": {"name": self.name, "version": self.version},
            "instructions": self.instructions,
        }

    def list_tools(self, params):
        cursor = params.get("cursor")
        if cursor is None:
            first = 0
        elif isinstance(cursor, str) and re.fullmatch(r"from-[0-9]{1,4}", cursor) and int(cursor[5:]) < len(self.tools):
            first = int(cursor[5:])
        else:
            raise RpcError(-32602, "Unknown cursor: use the nextCursor of the page before")
        page = {"tools": self.tools[first : first + self.page_size]}
        if first + self.page_size < len(self.tools):
            page["nextCursor"] = f"from-{first + self.page_size}"
        return page

    def call_tool(self, params):
        name, arguments = params.get("name"), params.get("arguments", {})
        if not isinstance(name, str):
            raise RpcError(-32602, "tools/call needs 'name' of type string")
        if not any(tool.get("name") == name for tool in self.tools):
            raise RpcError(-32602, f"Unknown tool: {name[:80]}")
        if not isinstance(arguments, dict):
            raise RpcError(-32602, "'arguments' must be an object")
        faults = self.validate(name, arguments)
        if faults:
            return self.refuse(name, arguments, faults)
        try:
            return self.perform(name, arguments)
        except Refused as reason:
            return failure(str(reason))

    def validate(self, name, arguments):
        schema = self.apart[name] if name in self.apart else self.tool(name)["inputSchema"]
        return check(schema, arguments)

    def refuse(self, name, arguments, faults):
        return failure(f"{name} was not run, because its arguments do not fit:", *faults[:5])

    def perform(self, name, arguments):
        return getattr(self, "do_" + re.sub(r"\W", "_", name))(**arguments)

    # The tools

    def book(self, book_id):
        for book in BOOKS:
            if book["id"] == book_id:
                return dict(book)
        raise Refused(f"No book has the identifier {shown(book_id)}. Look it up with search_books.")

    def do_search_books(self, query, language=None, limit=10):
        words = query.lower().split()
        found = [b for b in BOOKS if all(w in f"{b['title']} {b['author']}".lower() for w in words)]
        found = [dict(b) for b in found if language in (None, b["language"])]
        return structured({"total": len(found), "books": found[: int(limit)]})

    def do_get_book(self, book_id):
        return structured(self.book(book_id))

    def do_list_loans(self, filter, tags=(), page=1):
        since = filter.get("since", "")
        found = [loan for loan in LOANS if loan["status"] == filter["status"] and loan["since"] >= since]
        found = [loan for loan in found if set(tags) <= set(loan["tags"])]
        first = (int(page) - 1) * 5
        return structured({"page": int(page), "loans": copy.deepcopy(found[first : first + 5])})

    def do_get_late_fee(self, days, rate=0.25, member=False):
        return structured({"fee": round(days * rate * (0.5 if member else 1), 2), "currency": "EUR"})

    def do_find_branch(self, near, max_results=3):
        def distance(branch):
            east = (branch["longitude"] - near["longitude"]) * math.cos(math.radians(near["latitude"]))
            return round(111.2 * math.hypot(branch["latitude"] - near["latitude"], east), 1)

        nearest = sorted(BRANCHES, key=distance)[: int(max_results)]
        return text(*(f"{branch['name']}: {distance(branch)} km" for branch in nearest))

    def do_list_branches(self):
        return structured({"branches": [branch["name"] for branch in BRANCHES]})

    def do_read_guide(self, topic):
        return text(GUIDE[topic])

    def do_get_cover(self, book_id):
        book = self.book(book_id)
        image = {"type": "image", "data": png(40 * int(book_id[1:])), "mimeType": "image/png"}
        return {"content": [image, {"type": "text", "text": f"Cover of {book['title']}."}]}


if __name__ == "__main__":
    Library().run()
