#!/usr/bin/env python3
"""A small, correct MCP server, and the ways it can fail to be one.

  server.py [MODE]                       over stdio
  server.py http PORT [ADDRESS] [MODE]   over HTTP at /mcp

Modes: tidy, flawed (thin descriptions and schemas), crash (dies of a wrong type),
empty (no tools), broken (tools/list fails), hang (never answers tools/list),
locked (HTTP only: wants the bearer token that SERVER_TOKEN names).
It leaves `child.json`: what it can see of the world around it.
"""

import json
import os
import socket
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KNOWN = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
MODES = ("tidy", "flawed", "crash", "empty", "broken", "hang", "locked")


def tool(name, description, properties, required):
    return {
        "name": name,
        "title": name.replace("_", " ").capitalize(),
        "description": description,
        "inputSchema": {"type": "object", "properties": properties, "required": required, "additionalProperties": False},
        "annotations": {
            "title": name.replace("_", " ").capitalize(),
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    }


TIDY = [
    tool(
        "get_weather",
        "Returns the weather that was measured for a city, in one sentence. Use it when a person asks how it is outside.",
        {"city": {"type": "string", "description": "Name of the city, such as Oslo.", "minLength": 1, "maxLength": 80}},
        ["city"],
    ),
    tool(
        "get_sum",
        "Returns the sum of two whole numbers. Use it for arithmetic that has to be exact.",
        {
            "left": {"type": "integer", "description": "The first number.", "minimum": -1000000, "maximum": 1000000},
            "right": {"type": "integer", "description": "The second number.", "minimum": -1000000, "maximum": 1000000},
        },
        ["left", "right"],
    ),
]
FLAWED = [
    {"name": "get_thing", "description": "thing", "inputSchema": {"type": "object", "properties": {"x": {}, "y": {"type": "array"}}}},
    {"name": "listStuff", "inputSchema": {"type": "object", "properties": {"data": {"type": "object"}}}},
]
KINDS = {"string": str, "integer": int}


def wrong(schema, arguments):
    if not isinstance(arguments, dict):
        return "arguments must be an object"
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in arguments:
            return f"missing argument: {name}"
    for name, value in arguments.items():
        if name not in properties:
            return f"unexpected argument: {name}"
        rule = properties[name]
        kind = KINDS.get(rule.get("type"))
        if kind and (not isinstance(value, kind) or isinstance(value, bool)):
            return f"wrong type for argument: {name}"
        size = len(value) if isinstance(value, str) else value
        low, high = rule.get("minimum", rule.get("minLength")), rule.get("maximum", rule.get("maxLength"))
        if low is not None and size < low or high is not None and size > high:
            return f"argument out of range: {name}"
    return None


class Server:
    def __init__(self, mode):
        self.mode = mode
        self.tools = {"flawed": FLAWED, "empty": []}.get(mode, TIDY)

    def answer(self, message):
        """The reply to one message, or None."""
        if not isinstance(message, dict) or "id" not in message or "method" not in message:
            return None
        params = message.get("params") or {}
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        method = message["method"]
        if method == "initialize":
            wanted = params.get("protocolVersion")
            reply["result"] = {
                "protocolVersion": wanted if wanted in KNOWN else KNOWN[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": f"{self.mode}-server", "version": "1.2.3"},
            }
        elif method == "ping":
            reply["result"] = {}
        elif method == "tools/list" and self.mode == "broken":
            reply["error"] = {"code": -32603, "message": "database is locked"}
        elif method == "tools/list":
            if self.mode == "hang":
                time.sleep(600)
            reply["result"] = {"tools": self.tools}
        elif method == "tools/call":
            reply |= self.call(params)
        else:
            reply["error"] = {"code": -32601, "message": f"Method not found: {method}"}
        return reply

    def call(self, params):
        entry = next((t for t in self.tools if t["name"] == params.get("name")), None)
        if entry is None:
            return {"error": {"code": -32602, "message": "Unknown tool"}}
        arguments = params.get("arguments", {})
        fault = wrong(entry["inputSchema"], arguments) if self.mode != "flawed" else None
        if fault and self.mode == "crash":
            os._exit(70)
        if fault:
            return {"result": {"content": [{"type": "text", "text": fault}], "isError": True}}
        text = f"{entry['name']} of {json.dumps(arguments, sort_keys=True)[:200]}"
        return {"result": {"content": [{"type": "text", "text": text}], "isError": False}}


def look_around():
    """What a server can see of the machine that audits it."""
    docker = socket.socket(socket.AF_UNIX)
    try:
        docker.connect("/var/run/docker.sock")
        reached = True
    except OSError:
        reached = False
    seen = {
        "uid": os.getuid(), "gid": os.getgid(), "groups": os.getgroups(), "folder": os.getcwd(),
        "env": dict(os.environ), "docker": reached,
    }  # fmt: skip
    try:
        with open("child.json", "w", encoding="utf-8") as file:
            json.dump(seen, file)
    except OSError:
        pass


def over_stdio(mode):
    server = Server(mode)
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            reply = server.answer(json.loads(line))
        except ValueError:
            reply = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}
        if reply is not None:
            sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
            sys.stdout.buffer.flush()


def over_http(port, address, mode):
    server = Server(mode)
    hosts = (f"localhost:{port}", f"127.0.0.1:{port}")

    class Endpoint(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def send(self, status, body=None, *headers):
            raw = b"" if body is None else json.dumps(body).encode()
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            if raw:
                self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def refused(self):
            """Servers on a loopback address check Host and Origin against DNS rebinding."""
            origin = self.headers.get("Origin")
            if self.headers.get("Host") not in hosts or origin and origin.split("//")[-1] not in hosts:
                self.send(403)
            elif self.path != "/mcp":
                self.send(404)
            elif mode == "locked" and self.headers.get("Authorization") != f"Bearer {os.environ['SERVER_TOKEN']}":
                self.send(401, None, ("WWW-Authenticate", "Bearer"))
            else:
                return False
            return True

        def do_POST(self):
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.refused():
                return
            try:
                reply = server.answer(json.loads(raw))
            except ValueError:
                error = {"code": -32700, "message": "Parse error"}
                return self.send(400, {"jsonrpc": "2.0", "id": None, "error": error})
            self.send(202) if reply is None else self.send(200, reply)

        def do_GET(self):
            self.refused() or self.send(405)

        do_DELETE = do_GET

    ThreadingHTTPServer((address, port), Endpoint).serve_forever()


if __name__ == "__main__":
    look_around()
    words = sys.argv[1:]
    chosen = next((word for word in words if word in MODES), "tidy")
    if words[:1] == ["http"]:
        over_http(int(words[1]), words[2] if len(words) > 2 and words[2] not in MODES else "127.0.0.1", chosen)
    else:
        over_stdio(chosen)
