// Servers in a process of their own: `servers.mjs WHO CASE`. Over HTTP they say where on the IPC channel.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { INFO, register } from './tools.mjs';

const MODERN_PARTS = JSON.stringify({
  'io.modelcontextprotocol/serverInfo': INFO,
});

/** A bare answer to a call, as text. */
export function bareAnswer(id, text) {
  return `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}],"resultType":"complete","_meta":${MODERN_PARTS}}}`;
}

async function oursOverStdio({ tools }) {
  const { McpServer } = await import('@portico/server');
  const { serveStdio } = await import('@portico/server/stdio');
  serveStdio(() => register(new McpServer(INFO), tools));
}

async function officialOverStdio({ tools }) {
  const { McpServer } = await import('@modelcontextprotocol/server');
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  serveStdio(() => register(new McpServer(INFO), tools));
}

/** Joins what arrives in one chunk, as little as a line server can do. */
function floorOverStdio() {
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    let out = '';
    for (const line of lines) {
      const { id, params } = JSON.parse(line);
      out += `${bareAnswer(id, params.arguments.text)}\n`;
    }
    if (out !== '') process.stdout.write(out);
  });
}

async function oursOverHttp({ tools, inline, fresh, over }) {
  const { McpServer, createMcpHandler } = await import('@portico/server');
  const { toNodeHandler } = await import('@portico/server/node');
  const make = () => register(new McpServer(INFO), tools, inline);
  const source = fresh || over === 'session' ? make : make();
  return toNodeHandler(createMcpHandler(source, { legacy: over === 'session' ? 'sessions' : 'stateless' }));
}

async function officialOverHttp({ tools, peerInline, over }) {
  const { McpServer, createMcpHandler } = await import('@modelcontextprotocol/server');
  const { NodeStreamableHTTPServerTransport, toNodeHandler } = await import('@modelcontextprotocol/node');
  const make = () => register(new McpServer(INFO), tools, peerInline);
  if (over !== 'session') return toNodeHandler(createMcpHandler(make));
  const sessions = new Map();
  return async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (transport === undefined) {
      transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: true,
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
      await make().connect(transport);
    }
    await transport.handleRequest(request, response);
  };
}

function floorOverHttp() {
  return (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { id, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const body = bareAnswer(id, params.arguments.text);
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
  };
}

const OVER_STDIO = { ours: oursOverStdio, official: officialOverStdio, floor: floorOverStdio };
const OVER_HTTP = { ours: oursOverHttp, official: officialOverHttp, floor: floorOverHttp };

async function main([who, json]) {
  const parameters = JSON.parse(json);
  if (parameters.over === 'stdio') {
    await OVER_STDIO[who](parameters);
    return;
  }
  const listener = await OVER_HTTP[who](parameters);
  const server = createServer((request, response) => void listener(request, response));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
  process.on('disconnect', () => process.exit(0));
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
