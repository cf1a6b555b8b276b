"""An HTTP server whose calls each take a while.

Usage: waiter.py PORT TOOLS MILLISECONDS: so many tools, and so long for each call.
Serves one thread a connection, until it is ended.
"""
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Waiter(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    tools = []
    seconds = 0.0
    # A reply goes out whole.
    wbufsize = -1

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "id" not in request:
            return self.reply(202, b"")
        result = self.answer(request)
        self.reply(200, json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode())

    def do_GET(self):
        self.reply(405, b"")

    do_DELETE = do_GET

    def reply(self, status, body):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def answer(self, request):
        method = request["method"]
        if method == "initialize":
            return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                    "serverInfo": {"name": "waiter", "version": "1.0.0"}}
        if method == "tools/list":
            return {"tools": self.tools}
        if method == "tools/call":
            time.sleep(self.seconds)
            good = isinstance(request["params"]["arguments"], dict) and "key" in request["params"]["arguments"]
            return {"isError": not good, "content": [{"type": "text", "text": "found" if good else "key is required"}]}
        return {}

    def log_message(self, *_):
        pass


def tool(number):
    return {
        "name": f"read_record_{number}",
        "description": "Reads a record of the register by its key.",
        "inputSchema": {"type": "object", "properties": {"key": {"type": "string", "description": "The key."}},
                        "required": ["key"]},
        "annotations": {"readOnlyHint": True},
    }


def main():
    port, tools, milliseconds = map(int, sys.argv[1:4])
    Waiter.tools = [tool(number) for number in range(tools)]
    Waiter.seconds = milliseconds / 1000
    ThreadingHTTPServer(("127.0.0.1", port), Waiter).serve_forever()


if __name__ == "__main__":
    main()
