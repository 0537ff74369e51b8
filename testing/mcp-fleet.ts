import { createServer } from 'node:http';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer, createMcpHandler } from '@portico/server';
import type { McpHttpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';

/** One server of a fleet, at an origin of its own, for pages of `app.localhost`. */
export interface FleetServer {
  readonly url: string;
  /** `METHOD rpc-method` of everything that came. */
  readonly lines: readonly string[];
  /** Streams of server messages that are open now. */
  readonly streams: number;
  /** Sessions that it opened, and those of them that its client ended, each once. */
  readonly sessions: FleetSessions;
  /** Adds a tool, which every session is told of. */
  addTool(name: string): void;
  /** Says something to every session, one message after the other. */
  say(method: string, params: Readonly<Record<string, unknown>>): Promise<void>;
}

/**
 * Sessions by their ids: a browser sends a request once more by itself when the connection that it reused turns
 * out to be closed, so a server may hear of one end twice.
 */
export interface FleetSessions {
  readonly opened: number;
  readonly ended: number;
}

export interface Fleet {
  readonly servers: readonly FleetServer[];
  /** How many of such lines came, to all servers. */
  count(line: string): number;
  readonly streams: number;
  readonly sessions: FleetSessions;
  close(): Promise<void>;
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': '*',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': '*',
  'access-control-max-age': '7200',
};

/** Starts servers on this machine that keep sessions, each with as many tools. */
export async function startFleet(count: number, tools = 30): Promise<Fleet> {
  const started = await Promise.all(Array.from({ length: count }, () => startServer(tools)));
  return {
    servers: started,
    count: (line) =>
      started.reduce((sum, { lines }) => sum + lines.filter((found) => found === line).length, 0),
    get streams() {
      return started.reduce((sum, server) => sum + server.streams, 0);
    },
    get sessions() {
      return {
        opened: started.reduce((sum, { sessions }) => sum + sessions.opened, 0),
        ended: started.reduce((sum, { sessions }) => sum + sessions.ended, 0),
      };
    },
    close: async () => {
      await Promise.all(started.map((server) => server.close()));
    },
  };
}

async function startServer(tools: number): Promise<FleetServer & { close(): Promise<void> }> {
  const made: McpServer[] = [];
  const handler = createMcpHandler(() => createMcpServer(tools, made), {
    legacy: 'sessions',
    allowedOrigins: ['app.localhost'],
  });
  const lines: string[] = [];
  const sessions = { opened: new Set<string>(), ended: new Set<string>() };
  let streams = 0;
  const http = createServer((request, response) => {
    for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
    // It has no icon, which a page that asks is told without an error in its console.
    const isIcon = request.url === '/favicon.ico';
    if (isIcon || request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (request.method === 'GET') {
      streams += 1;
      response.on('close', () => (streams -= 1));
    }
    void serve(request, response);
  });
  const serve = toNodeHandler({ fetch: watched(handler, { lines, sessions }) });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    lines,
    get streams() {
      return streams;
    },
    get sessions() {
      return { opened: sessions.opened.size, ended: sessions.ended.size };
    },
    addTool(name) {
      for (const server of made) registerTool(server, name);
    },
    async say(method, params) {
      for (const server of made) await server.server.notification(method, params);
    },
    close: () => closeAll(http, handler),
  };
}

async function closeAll(http: HttpServer, handler: McpHttpHandler): Promise<void> {
  await handler.close();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
}

interface Seen {
  readonly lines: string[];
  readonly sessions: Readonly<Record<'opened' | 'ended', Set<string>>>;
}

const SESSION_HEADER = 'mcp-session-id';

/** Notes the JSON-RPC method of each message that comes, and which sessions begin and end. */
function watched(handler: McpHttpHandler, { lines, sessions }: Seen): McpHttpHandler['fetch'] {
  return async (request, options) => {
    const text = request.method === 'POST' ? await request.clone().text() : '';
    const { method } = (text === '' ? {} : JSON.parse(text)) as { readonly method?: string };
    lines.push(method === undefined ? request.method : `${request.method} ${method}`);
    const asked = request.headers.get(SESSION_HEADER) ?? '';
    // A repeated end is answered as the first one, whose answer the browser did not get.
    if (request.method === 'DELETE' && sessions.ended.has(asked)) return new Response(null, { status: 204 });
    const response = await handler.fetch(request, options);
    const given = response.headers.get(SESSION_HEADER) ?? '';
    if (method === 'initialize' && given) sessions.opened.add(given);
    if (request.method === 'DELETE' && sessions.opened.has(asked)) sessions.ended.add(asked);
    return response;
  };
}

function createMcpServer(tools: number, made: McpServer[]): McpServer {
  const server = new McpServer({ name: 'fleet', version: '1.0.0' }, { capabilities: { logging: {} } });
  for (let index = 0; index < tools; index += 1) registerTool(server, `tool-${index}`);
  made.push(server);
  return server;
}

function registerTool(server: McpServer, name: string): void {
  const description = `The tool ${name}, which answers what it is given, as text. `.repeat(4);
  server.registerTool(name, { description, inputSchema: { type: 'object' } }, (given: unknown) => ({
    content: [{ type: 'text', text: JSON.stringify(given) }],
  }));
}
