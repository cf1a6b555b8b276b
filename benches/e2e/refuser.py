"""A server of many tools that refuses every call at length.

Usage: refuser.py TOOLS BYTES: so many tools, and so many bytes in each refusal.
"""
import json
import sys


def main():
    tools, size = int(sys.argv[1]), int(sys.argv[2])
    listed = [tool(number) for number in range(tools)]
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        result = answer(request, listed, size)
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}) + "\n")
        sys.stdout.flush()


def tool(number):
    properties = {
        "key": {"type": "string", "minLength": 1, "description": "The key of the record."},
        "count": {"type": "integer", "minimum": 1, "maximum": 100, "description": "How many to write."},
        "mode": {"type": "string", "enum": ["add", "replace"], "description": "What to do with what is there."},
    }
    return {
        "name": f"write_record_{number}",
        "description": "Writes a record of the register by its key.",
        "inputSchema": {"type": "object", "properties": properties, "required": ["key", "count"],
                        "additionalProperties": False},
    }


def answer(request, listed, size):
    method = request["method"]
    if method == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                "serverInfo": {"name": "refuser", "version": "1.0.0"}}
    if method == "tools/list":
        return {"tools": listed}
    if method == "tools/call":
        # No two are the same.
        text = f"{request['params']['name']} refuses call {request['id']}: " + "there is no such record; " * (size // 20)
        return {"isError": True, "content": [{"type": "text", "text": text[:size]}]}
    return {}


if __name__ == "__main__":
    main()
