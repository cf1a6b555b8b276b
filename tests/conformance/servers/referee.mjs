// A server of both eras on the official SDK, with what the suite's scenarios look for:
// plain lists, and the few tools that server-stateless calls. `--spoiled` puts faults
// into it (spoil.mjs), so that the suite and mcprobe have something to agree about.
//
// Needs PORT; listens on the loopback address.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest
} from '@modelcontextprotocol/node';
import { createMcpHandler, inputRequired, isLegacyRequest, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { spoilLegacy, spoilModern } from './spoil.mjs';

const spoiled = process.argv.includes('--spoiled');

function text(value) {
  return { content: [{ type: 'text', text: value }] };
}

function build() {
  const server = new McpServer(
    { name: 'mcprobe-referee', version: '1.0.0' },
    {
      capabilities: {
        logging: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: {}
      }
    }
  );
  const plain = z.object({});
  const tool = (name, description, answer) =>
    server.registerTool(name, { description, inputSchema: plain, annotations: { readOnlyHint: true } }, answer);
  server.registerTool(
    'sum',
    {
      description: 'Adds two numbers and gives their sum.',
      inputSchema: z.object({ left: z.number(), right: z.number() }),
      annotations: { readOnlyHint: true }
    },
    ({ left, right }) => text(String(left + right))
  );
  tool('test_missing_capability', 'Asks the model of the client for a word.', () =>
    inputRequired({
      inputRequests: {
        word: inputRequired.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: 'Say one word.' } }],
          maxTokens: 10
        })
      }
    })
  );
  tool('test_streaming_elicitation', 'Reports its progress, then asks the user for a name.', async (_, ctx) => {
    await ctx.mcpReq.log('info', 'about to ask');
    return inputRequired({
      inputRequests: {
        name: inputRequired.elicit({
          message: 'Which name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } }
        })
      }
    });
  });
  tool('test_logging_tool', 'Logs a line and says that it did.', async (_, ctx) => {
    await ctx.mcpReq.log('info', 'one line');
    return text('logged');
  });
  tool('test_trigger_tool_change', 'Tells subscribers that the list of tools changed.', () => {
    modern.notify.toolsChanged();
    return text('told');
  });
  tool('test_trigger_prompt_change', 'Tells subscribers that the list of prompts changed.', () => {
    modern.notify.promptsChanged();
    return text('told');
  });
  server.registerResource(
    'motto',
    'referee://motto',
    { description: 'One line of text.', mimeType: 'text/plain' },
    uri => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Measure twice.' }] })
  );
  server.registerPrompt('greet', { description: 'Greets somebody.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }]
  }));
  return server;
}

const modern = createMcpHandler(build, { legacy: 'reject' });
const modernNode = toNodeHandler(spoiled ? { fetch: spoilModern(modern.fetch) } : modern);

// The legacy era: a server and a transport for each session.
const sessions = new Map();

async function legacy(request, response, body) {
  const id = request.headers['mcp-session-id'];
  const known = sessions.get(id);
  if (known !== undefined) return known.handleRequest(request, response, body);
  if (id !== undefined) return refuse(response, 404, -32001, 'Session not found');
  const first = Array.isArray(body) ? undefined : body;
  if (first?.method !== 'initialize') return refuse(response, 400, -32000, 'Session id required');
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => (spoiled ? `not visible ${randomUUID()}` : randomUUID()),
    onsessioninitialized: session => sessions.set(session, transport),
    onsessionclosed: session => sessions.delete(session)
  });
  const server = build();
  if (spoiled) spoilLegacy(server, transport);
  await server.connect(transport);
  return transport.handleRequest(request, response, body);
}

function refuse(response, status, code, message) {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
}

async function read(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

const isLocalHost = localhostHostValidation();
const isLocalOrigin = localhostOriginValidation();

async function answer(request, response) {
  if (!spoiled && !(isLocalHost(request, response) && isLocalOrigin(request, response))) return;
  if (request.method !== 'POST') {
    if (sessions.has(request.headers['mcp-session-id'])) return legacy(request, response);
    return refuse(response, request.headers['mcp-session-id'] === undefined ? 405 : 404, -32000, 'Not here');
  }
  let body;
  try {
    body = JSON.parse(await read(request));
  } catch {
    return refuse(response, 400, -32700, 'Parse error');
  }
  if (await isLegacyRequest(await toWebRequest(request, body))) return legacy(request, response, body);
  return modernNode(request, response, body);
}

createServer((request, response) => {
  answer(request, response).catch(() => {
    if (!response.headersSent) refuse(response, 500, -32603, 'Internal error');
    else response.end();
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
