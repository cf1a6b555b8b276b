"""Holds the corpus to its word: python3 -B -m unittest discover -s tests/corpus

A small raw client drives the servers. `SHOWS` has one proof for each built kind: a question that the variant
answers with yes and the base with no. The other tests hold the base and the twins to the protocol.
"""

import hashlib
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import base  # noqa: E402

LISTS = tomllib.loads((HERE / "kinds.toml").read_text(encoding="utf-8"))
KINDS = {kind["id"]: kind for kind in LISTS["kind"]}
TWINS = {twin["id"]: twin for twin in LISTS["twin"]}
BUILT = [name for name, kind in KINDS.items() if kind["status"] == "built"]
FAMILIES = ("lint", "call", "process", "protocol", "safety", "text", "compat")
SILENT, CLOSED = "no answer", "process ended"
WAIT = 6.0


class Session:
    """One process, spoken to line by line."""

    def __init__(self, script, wait=WAIT):
        self.folder = tempfile.TemporaryDirectory()
        self.wait = wait
        self.number = 0
        self.raw = []
        self.lines = queue.Queue()
        self.child = subprocess.Popen(
            [sys.executable, "-B", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder.name,
            env={"PATH": os.environ["PATH"]},
        )
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.child.stdout:
            self.raw.append(line)
            self.lines.put(line)
        self.lines.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Close standard input and give the exit status."""
        try:
            self.child.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.status = self.child.wait(3)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.status = self.child.wait()
        self.child.stdout.close()
        self.folder.cleanup()
        return self.status

    def post(self, data):
        try:
            self.child.stdin.write(data.encode() + b"\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            pass

    def take(self, ident):
        """The message with this id; lines that are none are passed over."""
        end = time.monotonic() + self.wait
        while True:
            try:
                line = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                return SILENT
            if line is None:
                self.lines.put(None)
                return CLOSED
            try:
                message = json.loads(line, parse_constant=lambda name: {}[name])
            except (ValueError, KeyError):
                continue
            if isinstance(message, dict) and message.get("id") == ident and "method" not in message:
                return message

    def ask(self, method, params=None, **more):
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, **more}
        self.post(json.dumps(message if params is None else {**message, "params": params}))
        return self.take(self.number)

    def open(self):
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        reply = self.ask("initialize", params)
        self.post(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        return reply

    def pages(self, most=10):
        pages, cursor = [], None
        while len(pages) < most:
            reply = self.ask("tools/list", {} if cursor is None else {"cursor": cursor})
            pages.append(reply)
            if not isinstance(reply, dict) or "result" not in reply or reply["result"].get("nextCursor") is None:
                break
            cursor = reply["result"]["nextCursor"]
        return pages

    def tools(self):
        return [tool for page in self.pages() for tool in page["result"]["tools"]]

    def tool(self, name):
        return next(tool for tool in self.tools() if tool["name"] == name)

    def call(self, name, arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def files(self):
        return sorted(os.listdir(self.folder.name))


def script(name):
    return HERE / ("base.py" if name == "base" else f"variants/{name}.py" if name in KINDS else f"twins/{name}.py")


# Calls

NEAR = {"latitude": 53.55, "longitude": 9.99}
GOOD = {
    "search_books": [{"query": "sea"}, {"query": "sea", "language": "de", "limit": 50}, {"query": "x"}],
    "get_book": [{"book_id": "B0001"}, {"book_id": "B0005"}],
    "list_loans": [
        {"filter": {"status": "open"}},
        {"filter": {"status": "open", "since": "2025-01-31"}, "tags": ["reserved"], "page": 1},
    ],
    "get_late_fee": [{"days": 4}, {"days": 365, "rate": 5, "member": True}, {"days": 0, "rate": 0.1}],
    "find_branch": [{"near": NEAR}, {"near": NEAR, "max_results": 1}],
    "list_branches": [{}],
    "read_guide": [{"topic": "borrowing"}, {"topic": "fees"}],
    "get_cover": [{"book_id": "B0002"}],
}
BAD = {
    "search_books": [{}, {"query": ["sea"]}, {"query": ""}, {"query": "a" * 201}, {"query": "sea", "limit": 51}],
    "get_book": [{}, {"book_id": None}, {"book_id": "0001"}, {"book_id": "B0001", "full": True}],
    "list_loans": [{}, {"filter": {}}, {"filter": {"status": "lost"}}, {"filter": {"status": "open"}, "tags": [3]}],
    "get_late_fee": [{}, {"days": "x"}, {"days": 2.5}, {"days": 366}, {"days": 1, "rate": 0}, {"days": 1, "member": "x"}],
    "find_branch": [{}, {"near": "here"}, {"near": {"latitude": 1}}, {"near": NEAR, "max_results": 0}],
    "list_branches": [{"all": True}],
    "read_guide": [{}, {"topic": "parking"}],
    "get_cover": [{}, {"book_id": "Z"}],
}


def good(reply):
    """Whether a reply is the success of a call."""
    return isinstance(reply, dict) and "result" in reply and reply["result"].get("isError") in (None, False, "false")


def refused(reply):
    return isinstance(reply, dict) and ("error" in reply or reply["result"].get("isError") is True)


def takes(name, arguments):
    return lambda s: good(s.call(name, arguments))


def refuses(name, arguments):
    return lambda s: refused(s.call(name, arguments))


def dies(name, arguments):
    return lambda s: s.call(name, arguments) == CLOSED and s.close() == 1


def silent(name, arguments):
    return lambda s: s.call(name, arguments) == SILENT and s.ask("ping") not in (SILENT, CLOSED)


def answer(name, arguments, test):
    """A question about the result of a call."""
    return lambda s: test(s.call(name, arguments)["result"])


def says(name, arguments, pattern):
    return answer(name, arguments, lambda result: re.search(pattern, json.dumps(result)))


def listed(name, test):
    """A question about the declaration of a tool."""

    def question(s):
        tools = [tool for tool in s.tools() if tool["name"] == name]
        return bool(tools) and test(tools[0])

    return question


def prop(name, key, test):
    return listed(name, lambda tool: test(tool["inputSchema"]["properties"][key]))


def unfit(name, arguments):
    """The structured result breaks the declared output schema."""

    def question(s):
        schema, result = s.tool(name)["outputSchema"], s.call(name, arguments)["result"]
        return "structuredContent" not in result or bool(base.check(schema, result["structuredContent"]))

    return question


def noise(s):
    """A line on standard output that is no message."""
    s.call("find_branch", {"near": NEAR})
    return any(not line.startswith(b'{"jsonrpc"') for line in s.raw)


def not_utf8(s):
    s.pages()
    return any("\ufffd" in line.decode("utf-8", "replace") for line in s.raw)


def changed(name, arguments, before=None):
    """The files of the working folder are others after the call."""

    def question(s):
        first = s.files()
        s.call(name, arguments)
        return s.files() != first

    return question


def list_changes(s):
    first = s.tools()
    s.call("list_branches", {})
    return s.tools() != first


def depends(s):
    first = s.call("read_guide", {"topic": "fees"})["result"]
    s.call("search_books", {"query": "sea"})
    return s.call("read_guide", {"topic": "fees"})["result"] != first


def dies_after_other(s):
    alone = good(s.call("get_late_fee", {"days": 4}))
    s.call("list_loans", {"filter": {"status": "open"}})
    return alone and s.call("get_late_fee", {"days": 4}) == CLOSED


def fails_again(s):
    return good(s.call("get_cover", {"book_id": "B0001"})) and refused(s.call("get_cover", {"book_id": "B0001"}))


def near_miss(s):
    plain = s.call("find_branch", {"near": NEAR})["result"]
    missed = s.call("find_branch", {"near": NEAR, "maxResults": 1})["result"]
    one = s.call("find_branch", {"near": NEAR, "max_results": 1})["result"]
    return plain == missed != one and "additionalProperties" not in s.tool("find_branch")["inputSchema"]


def page_repeats(s):
    pages = [page["result"] for page in s.pages(4)]
    cursors = {page.get("nextCursor") for page in pages}
    return len(cursors) == len(pages) == 4 and all(page["tools"] == pages[0]["tools"] for page in pages)


def nested(depth):
    value = {}
    for _ in range(depth):
        value = {"in": value}
    return value


def slow(s):
    start = time.monotonic()
    return good(s.call("list_branches", {})) and time.monotonic() - start > 3.5


def block(name, arguments, test):
    """A question about any block of the content."""
    return answer(name, arguments, lambda result: any(test(entry) for entry in result["content"]))


def base64_broken(entry):
    return entry["type"] == "image" and (not re.fullmatch(r"[A-Za-z0-9+/]+=*", entry["data"]) or len(entry["data"]) % 4)


OPEN = {"status": "open"}
COVER = ("get_cover", {"book_id": "B0001"})
FEES = ("read_guide", {"topic": "fees"})
NEAREST = ("find_branch", {"near": NEAR})
SHOWS = {
    "lint-description-absent": listed("list_loans", lambda t: "description" not in t),
    "lint-description-blank": listed("read_guide", lambda t: not t["description"].strip()),
    "lint-description-thin": listed("get_cover", lambda t: len(t["description"]) < 12),
    "lint-description-null": listed("find_branch", lambda t: t["description"] is None),
    "lint-description-copied": lambda s: s.tool("get_cover")["description"] == s.tool("get_book")["description"],
    "lint-param-undescribed": prop("search_books", "limit", lambda p: "description" not in p),
    "lint-nested-param-undescribed": prop("list_loans", "filter", lambda p: "description" not in p["properties"]["since"]),
    "lint-param-untyped": prop("get_late_fee", "member", lambda p: "type" not in p),
    "lint-nested-param-untyped": prop("list_loans", "filter", lambda p: "type" not in p["properties"]["since"]),
    "lint-schema-absent": listed("list_branches", lambda t: "inputSchema" not in t),
    "lint-schema-null": listed("read_guide", lambda t: t["inputSchema"] is None),
    "lint-schema-is-list": listed("find_branch", lambda t: isinstance(t["inputSchema"], list)),
    "lint-root-untyped": listed("get_book", lambda t: "type" not in t["inputSchema"]),
    "lint-root-nullable": listed("search_books", lambda t: t["inputSchema"]["type"] == ["object", "null"]),
    "lint-root-union": listed("get_cover", lambda t: list(t["inputSchema"]) == ["anyOf"]),
    "lint-type-unknown": prop("search_books", "limit", lambda p: p["type"] == "int"),
    "lint-properties-list": listed("get_late_fee", lambda t: isinstance(t["inputSchema"]["properties"], list)),
    "lint-required-on-property": prop("read_guide", "topic", lambda p: p.get("required") is True),
    "lint-required-unknown": listed("get_book", lambda t: t["inputSchema"]["required"] == ["bookId"]),
    "lint-pattern-broken": prop("get_cover", "book_id", lambda p: p["pattern"].count("(") == 1),
    "lint-ref-dangling": listed("get_book", lambda t: "#/$defs/" in str(t) and "$defs" not in t["inputSchema"]),
    "lint-ref-network": prop("find_branch", "near", lambda p: p.get("$ref", "").startswith("https:")),
    "lint-name-duplicate": lambda s: [t["name"] for t in s.tools()].count("list_branches") == 2,
    "lint-name-space": lambda s: any(" " in t["name"] for t in s.tools()),
    "lint-annotations-absent": listed("find_branch", lambda t: "annotations" not in t),
    "lint-hint-text": listed("read_guide", lambda t: t["annotations"]["readOnlyHint"] == "true"),
    "lint-hint-null": listed("find_branch", lambda t: t["annotations"]["idempotentHint"] is None),
    "lint-hints-contradict": listed("get_book", lambda t: t["annotations"]["destructiveHint"] is True),
    "lint-enum-repeated": prop("search_books", "language", lambda p: len(set(p["enum"])) < len(p["enum"])),
    "lint-enum-empty": prop("list_loans", "tags", lambda p: p["items"]["enum"] == []),
    "lint-default-outside-enum": prop("search_books", "language", lambda p: p.get("default", "en") not in p["enum"]),
    "lint-default-wrong-type": prop("list_loans", "page", lambda p: p["default"] == "1"),
    "lint-bounds-crossed": prop("search_books", "limit", lambda p: p["minimum"] > p["maximum"]),
    "lint-example-unfit": prop("get_book", "book_id", lambda p: not re.search(p["pattern"], p["examples"][0])),
    "lint-output-schema-invalid": listed("get_book", lambda t: "integer|null" in str(t["outputSchema"])),
    "lint-output-schema-array": listed("list_branches", lambda t: t["outputSchema"]["type"] == "array"),
    "call-required-ignored": takes("get_book", {}),
    "call-type-ignored": takes("list_loans", {"filter": OPEN, "page": "first"}),
    "call-enum-ignored": takes("search_books", {"query": "sea", "language": "xx"}),
    "call-maximum-ignored": takes("get_late_fee", {"days": 366}),
    "call-exclusive-bound-ignored": takes("get_late_fee", {"days": 1, "rate": 0}),
    "call-minimum-ignored": takes("find_branch", {"near": NEAR, "max_results": 0}),
    "call-fraction-accepted": takes("get_late_fee", {"days": 2.5}),
    "call-min-length-ignored": takes("search_books", {"query": ""}),
    "call-max-length-ignored": takes("search_books", {"query": "a" * 201}),
    "call-pattern-ignored": takes("get_cover", {"book_id": "Z"}),
    "call-closed-extra-accepted": takes("find_branch", {"near": NEAR, "colour": "red"}),
    "call-nested-extra-accepted": takes("list_loans", {"filter": {**OPEN, "colour": "red"}}),
    "call-nested-required-ignored": takes("find_branch", {"near": {"latitude": 50}}),
    "call-nested-type-ignored": takes("list_loans", {"filter": {**OPEN, "since": [1]}}),
    "call-item-type-ignored": takes("list_loans", {"filter": OPEN, "tags": [3]}),
    "call-max-items-ignored": takes("search_books", {"query": "sea", "authors": ["a", "b", "c"]}),
    "call-unique-ignored": takes("list_loans", {"filter": OPEN, "tags": ["renewed", "renewed"]}),
    "call-null-accepted": takes("get_late_fee", {"days": None}),
    "call-arguments-list-accepted": takes("list_branches", [1]),
    "call-number-coerced": takes("search_books", {"query": "sea", "limit": "5"}),
    "call-near-miss-dropped": near_miss,
    "call-empty-success": says(*FEES, r'"text": ""'),
    "call-empty-content": answer(*NEAREST, lambda r: r["content"] == []),
    "call-content-missing": answer(*FEES, lambda r: "content" not in r),
    "call-content-not-list": answer(*FEES, lambda r: isinstance(r["content"], dict)),
    "call-content-unknown-type": block(*NEAREST, lambda b: b["type"] == "json"),
    "call-content-text-not-string": block(*NEAREST, lambda b: isinstance(b["text"], list)),
    "call-image-data-url": block(*COVER, base64_broken),
    "call-image-cut": block(*COVER, base64_broken),
    "call-image-without-type": block(*COVER, lambda b: b["type"] == "image" and "mimeType" not in b),
    "call-link-without-name": block(*FEES, lambda b: b["type"] == "resource_link" and "name" not in b),
    "call-error-flag-text": answer("list_branches", {}, lambda r: isinstance(r.get("isError"), str)),
    "call-structured-missing": unfit("get_book", {"book_id": "B0001"}),
    "call-output-wrong-type": unfit("get_late_fee", {"days": 4}),
    "call-output-extra-field": unfit("get_book", {"book_id": "B0001"}),
    "call-output-nested-null": unfit("search_books", {"query": "sea"}),
    "call-output-renamed": unfit("list_branches", {}),
    "call-output-optional-path": unfit("get_late_fee", {"days": 4, "member": True}),
    "call-nan": lambda s: s.call("get_late_fee", {"days": 4}) and any(b"NaN" in line for line in s.raw),
    "call-reply-not-json": lambda s: s.call(*COVER) and any(line.startswith(b"{'") for line in s.raw),
    "call-huge-answer": answer(*FEES, lambda r: len(json.dumps(r)) > 1_000_000),
    "call-refusal-as-success": takes("list_loans", {}),
    "call-exception-as-success": answer(*FEES, lambda r: r["content"][0]["text"].startswith("Error:") and "isError" not in r),
    "call-status-as-success": answer(*COVER, lambda r: '"success": false' in r["content"][0].get("text", "")),
    "call-crash-on-missing": dies("get_book", {}),
    "call-crash-on-type": dies("find_branch", {"near": "here"}),
    "call-crash-on-null": dies("search_books", {"query": None}),
    "call-crash-on-long": dies("search_books", {"query": "a" * 65536}),
    "call-crash-on-non-ascii": dies("search_books", {"query": "mañana"}),
    "call-crash-on-control": dies("search_books", {"query": "a\0b"}),
    "call-crash-on-nesting": dies("find_branch", {"near": NEAR, "context": nested(200)}),
    "call-crash-on-large-number": dies("list_loans", {"filter": OPEN, "page": 2**63}),
    "call-crash-on-integral-float": dies("search_books", {"query": "sea", "limit": 1.0}),
    "call-crash-after-other": dies_after_other,
    "call-hang-on-valid": silent(*NEAREST),
    "call-hang-on-type": silent("search_books", {"query": ["sea"]}),
    "call-slow": slow,
    "call-stack-trace": says("get_book", {}, r"Traceback \(most recent call last\)"),
    "call-path-in-error": says("read_guide", {"topic": "x"}, r"/srv/library/\w+"),
    "call-secret-in-error": says("list_loans", {}, r"postgresql://\w+:\w{12,}@"),
    "call-internal-error": lambda s: s.call("get_late_fee", {}).get("error", {}).get("code") == -32603,
    "call-list-changes": list_changes,
    "call-order-dependent": depends,
    "call-read-only-writes": changed(*FEES),
    "call-read-only-removes": changed("list_branches", {}),
    "call-idempotent-fails": fails_again,
    "call-stricter-bound": refuses("search_books", {"query": "sea", "limit": 50}),
    "call-stricter-unknown": lambda s: (
        refused(s.call("list_loans", {"filter": OPEN, "colour": "red"}))
        and "additionalProperties" not in s.tool("list_loans")["inputSchema"]
    ),
    "call-stricter-required": refuses("get_late_fee", {"days": 4}),
    "call-stricter-length": refuses("search_books", {"query": "x"}),
    "call-stricter-together": refuses("get_late_fee", {"days": 4, "rate": 1, "member": True}),
    "process-exit-at-start": lambda s: s.close() == 1 and not s.raw,
    "process-silent-start": lambda s: not s.raw and s.child.poll() is None,
    "process-exit-after-handshake": lambda s: s.ask("ping") == CLOSED and len(s.raw) == 1,
    "process-exit-on-list": lambda s: s.ask("ping") != CLOSED and s.ask("tools/list") == CLOSED,
    "process-banner": lambda s: not s.raw[0].startswith(b"{"),
    "process-print-in-call": noise,
    "process-json-log": noise,
    "protocol-list-error": lambda s: s.ask("tools/list").get("error", {}).get("code") == -32603,
    "protocol-list-silent": lambda s: s.ask("tools/list") == SILENT,
    "protocol-list-not-array": lambda s: isinstance(s.ask("tools/list")["result"]["tools"], dict),
    "protocol-cursor-repeats": lambda s: [page["result"].get("nextCursor") for page in s.pages(4)] == ["from-5"] * 4,
    "protocol-page-repeats": page_repeats,
    "protocol-second-page-fails": lambda s: "error" in s.pages()[-1],
    "process-invalid-utf8": not_utf8,
    "protocol-unknown-tool-succeeds": takes("no_such_tool", {}),
    "protocol-arguments-text-accepted": takes("read_guide", '{"topic": "opening"}'),
}

# The proofs that wait for an answer that never comes.
HASTY = {
    "call-hang-on-type",
    "call-hang-on-valid",
    "call-nan",
    "call-reply-not-json",
    "process-invalid-utf8",
    "process-silent-start",
    "protocol-list-silent",
}


def prove(kind, name):
    """Ask the server `name` the question of `kind`."""
    with Session(script(name), wait=1.0 if kind in HASTY else WAIT) as session:
        session.open()
        return bool(SHOWS[kind](session))


def transcript(name, tools):
    """What a server says to a fixed talk, ids and all, and how it ends."""
    with Session(script(name), wait=1.0) as session:
        log = [session.open(), *session.pages()]
        for tool in tools if SILENT not in log else ():
            for arguments in GOOD[tool] + BAD[tool]:
                log.append(session.call(tool, arguments))
        for method, params in (("ping", None), ("tools/call", {"name": "none"}), ("no/such", {}), ("prompts/list", {})):
            log.append(session.ask(method, params))
        session.post('{"jsonrpc": "2.0", "method": "notifications/unknown"}')
        session.post("{broken")
        log.append(session.ask("ping"))
        log.append(session.call("list_branches", [1]))
        log.append(session.call("read_guide", "topic"))
        log.append(session.pages())
        raw = b"".join(session.raw)
        files = session.files()
    return raw, session.status, files


def calls(name, tools):
    with Session(script(name), wait=5.0) as session:
        session.open()
        said = {tool: [session.call(tool, arguments) for arguments in GOOD[tool] + BAD[tool]] for tool in tools}
        declared = {tool["name"]: tool for tool in session.tools()}
        return {tool: [declared[tool], *said[tool]] for tool in tools}


def without_ids(replies):
    return [{key: value for key, value in reply.items() if key != "id"} for reply in replies]


def each(work, *rows):
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(work, *rows))


class TheList(unittest.TestCase):
    def test_names_are_unique_and_have_their_files(self):
        self.assertEqual(len(LISTS["kind"]), len(KINDS))
        self.assertEqual(sorted(path.stem for path in (HERE / "variants").glob("*.py")), sorted(KINDS))
        self.assertEqual(sorted(path.stem for path in (HERE / "twins").glob("*.py")), sorted(TWINS))
        self.assertGreaterEqual(len(KINDS), 60)
        self.assertGreaterEqual(len(TWINS), 12)

    def test_fields(self):
        for name, kind in KINDS.items():
            with self.subTest(name):
                self.assertIn(kind["family"], FAMILIES)
                self.assertTrue(name.startswith(kind["family"] + "-"))
                self.assertIn(kind["severity"], ("error", "warning", "info"))
                self.assertIn(kind["status"], ("built", "not yet"))
                self.assertEqual(kind["split"], "test" if hashlib.sha256(name.encode()).digest()[0] % 2 else "train")
                self.assertTrue(script(name).read_text(encoding="utf-8").startswith(f'"""{kind["description"]}"""'))

    def test_every_family_has_both_splits(self):
        for family in FAMILIES:
            self.assertEqual({k["split"] for k in KINDS.values() if k["family"] == family}, {"test", "train"}, family)


class TheVariants(unittest.TestCase):
    def test_every_built_kind_has_a_proof(self):
        self.assertLessEqual(set(BUILT), set(SHOWS))
        self.assertLessEqual(set(SHOWS), set(KINDS))

    def test_the_defect_is_there_and_the_base_does_not_have_it(self):
        there = each(lambda kind: prove(kind, kind), SHOWS)
        clean = each(lambda kind: prove(kind, "base"), SHOWS)
        for kind, variant, other in zip(SHOWS, there, clean):
            with self.subTest(kind):
                self.assertTrue(variant, "the variant does not show its defect")
                self.assertFalse(other, "the base shows the defect as well")

    def test_the_other_kinds_differ_from_the_base(self):
        names = [name for name in KINDS if name not in SHOWS and name not in ("process-leaves-child", "process-second-refused")]
        plain = transcript("base", GOOD)
        for name, other in zip(names, each(lambda name: transcript(name, GOOD), names)):
            if name in ("protocol-any-version-echoed",):
                continue
            with self.subTest(name):
                self.assertTrue(plain != other, "says the same as the base")

    def test_kinds_that_a_plain_talk_does_not_show(self):
        with Session(script("protocol-any-version-echoed")) as session:
            params = {"protocolVersion": "1900-01-01", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
            self.assertEqual(session.ask("initialize", params)["result"]["protocolVersion"], "1900-01-01")
        with Session(script("process-second-refused")) as session:
            session.open()
            again = [sys.executable, "-B", str(script("process-second-refused"))]
            second = subprocess.run(again, cwd=session.folder.name, input=b"", capture_output=True)
            self.assertIn(b"another process", second.stderr)
        self.assertIn("sleep", script("process-leaves-child").read_text(encoding="utf-8"))

    def test_the_other_tools_are_left_alone(self):
        # A crash or a hang of one tool is out of the way, because the tool of the kind is not called.
        names = [name for name in BUILT if KINDS[name]["tool"] in GOOD]
        plain = calls("base", GOOD)

        def others(name):
            return calls(name, [tool for tool in GOOD if tool != KINDS[name]["tool"]])

        for name, replies in zip(names, each(others, names)):
            for tool, answers in replies.items():
                with self.subTest(kind=name, tool=tool):
                    self.assertEqual(without_ids(answers), without_ids(plain[tool]))


class TheCleanServers(unittest.TestCase):
    """The base and its twins are right by the protocol."""

    names = ["base", *TWINS]

    def opened(self, name):
        session = Session(script(name))
        self.addCleanup(session.close)
        reply = session.open()
        result = reply["result"]
        self.assertIn(result["protocolVersion"], base.VERSIONS)
        self.assertEqual(sorted(result["serverInfo"]), ["name", "version"])
        return session

    def schema(self, schema, root, where):
        """A structural check of one schema, all the way down."""
        self.assertIsInstance(schema, dict, where)
        kinds = schema.get("type", [])
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            self.assertIn(kind, ("string", "integer", "number", "boolean", "array", "object", "null"), where)
        if "$ref" in schema:
            target = root
            for key in schema["$ref"].removeprefix("#/").split("/"):
                self.assertIn(key, target, where)
                target = target[key]
        if "pattern" in schema:
            re.compile(schema["pattern"])
        for key in ("properties", "$defs", "definitions"):
            for name, part in schema.get(key, {}).items():
                self.schema(part, root, f"{where}/{key}/{name}")
        for key in ("anyOf", "oneOf", "allOf"):
            for part in schema.get(key, []):
                self.schema(part, root, f"{where}/{key}")
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                self.schema(schema[key], root, f"{where}/{key}")
        for name in schema.get("required", []):
            self.assertIn(name, schema["properties"], where)
        for value in [*schema.get("examples", []), *([schema["default"]] if "default" in schema else [])]:
            self.assertEqual(base.check(schema, value, where, root), [], where)
        if "enum" in schema:
            self.assertEqual(len(schema["enum"]), len(set(schema["enum"])), where)

    def sample(self, schema, root):
        """A value that the schema allows, from its examples where it has some."""
        while "$ref" in schema:
            target = root
            for key in schema["$ref"].removeprefix("#/").split("/"):
                target = target[key]
            schema = target
        for key in ("examples", "enum"):
            if key in schema:
                return schema[key][0]
        if "anyOf" in schema:
            return self.sample(schema["anyOf"][0], root)
        if schema["type"] == "object":
            needed = schema.get("required", [])
            return {key: self.sample(part, root) for key, part in schema["properties"].items() if key in needed}
        return {"integer": 1, "number": 1.5, "boolean": True, "array": [], "string": "sample"}[schema["type"]]

    def test_lists(self):
        for name in self.names:
            with self.subTest(name):
                tools = self.opened(name).tools()
                self.assertEqual(len({tool["name"] for tool in tools}), len(tools))
                self.assertGreaterEqual(len(tools), 8)
                for tool in tools:
                    self.assertRegex(tool["name"], r"^[A-Za-z0-9_.-]{1,64}$")
                    self.assertGreater(len(tool["description"]), 20)
                    self.assertEqual(tool["inputSchema"]["type"], "object")
                    self.schema(tool["inputSchema"], tool["inputSchema"], f"{tool['name']}/inputSchema")
                    if "outputSchema" in tool:
                        self.assertEqual(tool["outputSchema"]["type"], "object")
                        self.schema(tool["outputSchema"], tool["outputSchema"], f"{tool['name']}/outputSchema")
                    self.assertTrue(all(value in (True, False) for value in tool.get("annotations", {}).values()))

    def test_calls(self):
        for name in self.names:
            session = self.opened(name)
            for tool in session.tools():
                with self.subTest(server=name, tool=tool["name"]):
                    schema = tool["inputSchema"]
                    arguments = self.sample({key: value for key, value in schema.items()}, schema)
                    self.assertEqual(base.check(schema, arguments), [])
                    result = session.call(tool["name"], arguments)["result"]
                    self.assertTrue(all(block["type"] in ("text", "image") for block in result["content"]))
                    self.assertTrue(result["content"])
                    if name != "unknown-record":
                        self.assertNotIn("isError", result)
                    if "outputSchema" in tool and "isError" not in result:
                        self.assertEqual(base.check(tool["outputSchema"], result["structuredContent"]), [])
                    bad = session.call(tool["name"], {**arguments, "no_such_field": 1})
                    self.assertTrue(refused(bad))
                    self.assertIn("no_such_field", json.dumps(bad))
                    for key in schema.get("required", []):
                        bad = session.call(tool["name"], {k: v for k, v in arguments.items() if k != key})
                        self.assertTrue(refused(bad))
                        self.assertIn(key, json.dumps(bad))

    def test_protocol(self):
        for name in self.names:
            with self.subTest(name):
                session = self.opened(name)
                self.assertEqual(session.ask("ping")["result"], {})
                self.assertEqual(session.ask("no/such")["error"]["code"], -32601)
                self.assertEqual(session.ask("tools/list", {"cursor": "nowhere"})["error"]["code"], -32602)
                self.assertEqual(session.call("no_such_tool", {})["error"]["code"], -32602)
                self.assertEqual(session.call("get_book", [])["error"]["code"], -32602)
                self.assertEqual(session.ask("tools/call", {"arguments": {}})["error"]["code"], -32602)
                self.assertEqual(session.ask("ping", jsonrpc="1.0")["error"]["code"], -32600)
                before = len(session.raw)
                session.post('{"jsonrpc": "2.0", "method": "notifications/none"}')
                session.post('{"jsonrpc": "2.0", "id": 77, "result": {}}')
                self.assertEqual(session.ask("ping")["result"], {})
                self.assertEqual(len(session.raw), before + 1)
                for broken, code in (
                    ("{broken", -32700),
                    ("[" * 50000, -32700),
                    ('{"id": NaN}', -32700),
                    ("[]", -32600),
                    ("7", -32600),
                ):
                    session.post(broken)
                    self.assertEqual(session.take(None)["error"]["code"], code)
                for line in session.raw:
                    message = json.loads(line.decode("utf-8"))
                    self.assertEqual(message["jsonrpc"], "2.0")
                    if "method" not in message:
                        self.assertEqual(("result" in message) + ("error" in message), 1)
                self.assertEqual(session.files(), [])
                self.assertEqual(session.close(), 0)

    def test_hard_input(self):
        keys = (("search_books", "query"), ("list_loans", "filter"), ("get_late_fee", "days"), ("find_branch", "near"))
        for name in self.names:
            session = self.opened(name)
            for value in ("a" * 65536, "a\0b\x1b[0m", "\ud800", "مرحبا", -0.0, 1.0, 2**63, nested(400), [[]], None, True):
                for tool, key in keys:
                    with self.subTest(server=name, tool=tool, value=type(value).__name__):
                        self.assertIsInstance(session.call(tool, {key: value}), dict)
            params = '{"name": "get_late_fee", "arguments": {"days": 1e400}}'
            session.post(f'{{"jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": {params}}}')
            self.assertTrue(refused(session.take(900)))

    def test_version_offers(self):
        for wanted, given in (("2024-11-05", "2024-11-05"), ("1900-01-01", "2025-11-25")):
            with Session(script("base")) as session:
                params = {"protocolVersion": wanted, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
                self.assertEqual(session.ask("tools/list")["error"]["code"], -32600)
                self.assertEqual(session.ask("initialize", {})["error"]["code"], -32602)
                self.assertEqual(session.ask("initialize", params)["result"]["protocolVersion"], given)
                self.assertEqual(session.ask("initialize", params)["error"]["code"], -32600)

    def test_ends_on_the_stop_signal(self):
        session = Session(script("base"))
        session.open()
        session.child.terminate()
        self.assertEqual(session.close(), 0)


if __name__ == "__main__":
    unittest.main()
