"""A small MCP client of its own, to compare mcprobe with: it counts tools.

It shares no code with mcprobe and knows only the handshake and `tools/list`.
"""
import json
import os
import select
import subprocess
import time
import urllib.error
import urllib.request

REVISION = "2025-11-25"
PAGES = 100


def initialize(message_id):
    params = {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": {"name": "tool-count", "version": "1"}}
    return {"jsonrpc": "2.0", "id": message_id, "method": "initialize", "params": params}


INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def list_tools(message_id, cursor):
    params = {} if cursor is None else {"cursor": cursor}
    return {"jsonrpc": "2.0", "id": message_id, "method": "tools/list", "params": params}


def count_tools(connection):
    """How many tools a server lists on all its pages."""
    connection.ask(initialize(1))
    connection.tell(INITIALIZED)
    count, cursor = 0, None
    for page in range(PAGES):
        result = connection.ask(list_tools(2 + page, cursor))
        count += len(result["tools"])
        cursor = result.get("nextCursor")
        if cursor is None:
            return count
    raise OSError(f"more than {PAGES} pages")


class Stdio:
    """A server started as a child; one JSON message a line."""

    def __init__(self, words, folder, variables, limit=30):
        self.deadline = time.monotonic() + limit
        self.buffer = b""
        self.process = subprocess.Popen(
            words, cwd=folder, env={**os.environ, **variables}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def tell(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, message):
        self.tell(message)
        while True:
            reply = json.loads(self.line())
            if reply.get("id") == message["id"] and "method" not in reply:
                return reply["result"]

    def line(self):
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, self.deadline - time.monotonic()))
            chunk = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not chunk:
                raise OSError("the server closed its output" if ready else "the server did not answer")
            self.buffer += chunk
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line


class Http:
    """A server at an address; streamable HTTP."""

    def __init__(self, url, limit=30):
        self.url = url
        self.limit = limit
        self.session = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self.send(None, "DELETE")
        except urllib.error.HTTPError:
            pass  # A server may refuse to end a session.

    def tell(self, message):
        self.send(message)

    def ask(self, message):
        kind, body = self.send(message)
        replies = events(body) if kind.startswith("text/event-stream") else [json.loads(body)]
        return next(reply["result"] for reply in replies if reply.get("id") == message["id"])

    def send(self, message, method="POST"):
        headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json",
                   "MCP-Protocol-Version": REVISION}
        if self.session:
            headers["Mcp-Session-Id"] = self.session
        body = None if message is None else json.dumps(message).encode()
        request = urllib.request.Request(self.url, data=body, headers=headers, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=self.limit) as reply:
            self.session = reply.headers.get("Mcp-Session-Id") or self.session
            return reply.headers.get("Content-Type") or "", reply.read().decode()


def events(body):
    """The messages of an event stream that has ended."""
    for block in body.replace("\r\n", "\n").split("\n\n"):
        data = [line[5:].removeprefix(" ") for line in block.split("\n") if line.startswith("data:")]
        if data and "".join(data).strip():
            yield json.loads("\n".join(data))
