// Faults of which the conformance suite and mcprobe must both speak.

const json = (status, value) =>
  new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json' } });

let listings = 0;

// What is wrong with a result of the modern era, by method.
const RESULTS = {
  'server/discover': result => {
    delete result._meta['io.modelcontextprotocol/serverInfo'];
  },
  'tools/list': result => {
    delete result.cacheScope;
    result.tools.push({ name: 'odd name!', description: 'Has a name with a space.', inputSchema: { type: 'object' } });
    if (listings++ % 2 === 1) result.tools.reverse();
  },
  'prompts/list': result => {
    delete result.resultType;
  },
  'resources/list': result => {
    result.ttlMs = -1;
  }
};

// And with a refusal, by code.
const REFUSALS = {
  [-32601]: () => 200,
  [-32602]: reply => {
    reply.error.code = -32600;
    return 400;
  },
  [-32020]: reply => {
    reply.error.code = -32600;
    return 400;
  },
  [-32022]: reply => {
    delete reply.error.data;
    reply.id = null;
    return 400;
  }
};

// Wraps the handler of the modern era.
export function spoilModern(fetch) {
  return async (request, options) => {
    const { id, method, params } = options?.parsedBody ?? {};
    if (method === 'subscriptions/listen') return unacknowledged();
    const response = await fetch(request, options);
    if (!response.headers.get('content-type')?.startsWith('application/json')) return response;
    const reply = await response.json();
    if (reply.error !== undefined && method === 'resources/read') {
      const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', contents: [] };
      return json(200, { jsonrpc: '2.0', id, result });
    }
    if (reply.error !== undefined) {
      return json(REFUSALS[reply.error.code]?.(reply) ?? response.status, reply);
    }
    if (params?._meta?.['io.modelcontextprotocol/clientInfo'] === undefined) {
      return json(400, { jsonrpc: '2.0', id, error: { code: -32600, message: 'Who are you?' } });
    }
    RESULTS[method]?.(reply.result);
    return json(response.status, reply);
  };
}

// A stream of notices that begins without an acknowledgement, for anybody.
function unacknowledged() {
  const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
  return new Response(`data: ${JSON.stringify(notice)}\n\n`, {
    status: 200,
    headers: { 'Content-Type': 'text/event-stream' }
  });
}

// Spoils what a server of the legacy era sends, at its transport.
export function spoilLegacy(server, transport) {
  const send = transport.send.bind(transport);
  const methods = new Map();
  const connect = server.connect.bind(server);
  server.connect = async given => {
    await connect(given);
    const heard = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if (message.id !== undefined) methods.set(message.id, message.method);
      heard(message, extra);
    };
  };
  transport.send = (message, options) => {
    const method = methods.get(message.id);
    methods.delete(message.id);
    return send(spoiledLegacy(method, message), options);
  };
}

function spoiledLegacy(method, message) {
  const { id, result } = message;
  if (method === 'ping' || method === 'logging/setLevel') {
    return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
  }
  if (method === 'tools/list' && result !== undefined) {
    result.tools.push({ name: 'no_schema', description: 'Says nothing of its arguments.' });
  }
  if (method === 'resources/list' && result !== undefined) {
    result.resources.push({ uri: 'referee://nameless' });
  }
  if (method === 'prompts/list' && result !== undefined) {
    result.prompts.push({ description: 'Has no name.' });
  }
  return message;
}
