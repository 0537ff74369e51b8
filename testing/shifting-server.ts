import { createServer } from 'node:http';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, createMcpHandler } from '@portico/server';
import type { McpHttpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';

/** An MCP server over HTTP that does not stay as it is. */
export interface ShiftingServer {
  readonly url: string;
  /** What came: `POST tools/call`, with the session in which it came where there is one. */
  readonly lines: readonly string[];
  /** Executions of tools, by their argument `token`. */
  readonly runs: readonly string[];
  /** Names of its tools from the next time on that it is asked. */
  tools: readonly string[];
  /** What each execution waits for before it answers. */
  beforeAnswer: () => Promise<void>;
  /** Whether listing its tools fails. */
  listFails: boolean;
  /** Says that its tools are others now. */
  announceTools(): void;
  /** From now on it knows none of the sessions that it began. */
  forgetSessions(): Promise<void>;
  /** Ends in the middle of whatever it does. */
  stop(): Promise<void>;
  /** Begins again at the same address, as a new process would. */
  start(): Promise<void>;
}

/** @param era what it speaks: sessions with a handshake, or neither */
export async function startShiftingServer(
  era: 'legacy' | 'modern',
  tools: readonly string[],
): Promise<ShiftingServer> {
  const lines: string[] = [];
  const runs: string[] = [];
  let handler = createHandler(era, () => createMcpServer(own, runs));
  let http: HttpServer | undefined;
  let port = 0;
  const listen = async (): Promise<void> => {
    const server = createServer((request, response) => {
      void toNodeHandler({ fetch: noted(handler, { era, own, lines }) })(request, response);
    });
    http = server;
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const renew = async (): Promise<void> => {
    const before = handler;
    handler = createHandler(era, () => createMcpServer(own, runs));
    await before.close();
  };
  const own: ShiftingServer = {
    get url() {
      return `http://127.0.0.1:${port}/mcp`;
    },
    lines,
    runs,
    tools,
    beforeAnswer: () => Promise.resolve(),
    listFails: false,
    announceTools: () => handler.notify.toolsChanged(),
    forgetSessions: renew,
    async stop() {
      const ended = new Promise((resolve) => http?.close(resolve) ?? resolve(undefined));
      // Nothing is said any more to whoever is connected.
      http?.closeAllConnections();
      await Promise.all([ended, renew()]);
    },
    start: listen,
  };
  await listen();
  return own;
}

function createHandler(era: 'legacy' | 'modern', create: () => Server): McpHttpHandler {
  return createMcpHandler(() => create(), era === 'legacy' ? { legacy: 'sessions' } : { legacy: 'reject' });
}

function createMcpServer(own: Pick<ShiftingServer, 'tools' | 'beforeAnswer'>, runs: string[]): Server {
  const server = new Server(
    { name: 'shifting', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: own.tools.map((name) => ({ name, inputSchema: { type: 'object' } })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const given: unknown = params.arguments?.['token'];
    const token = typeof given === 'string' ? given : '';
    runs.push(token);
    await own.beforeAnswer();
    return { content: [{ type: 'text', text: `${params.name} ${token}` }] };
  });
  return server;
}

interface Noting {
  readonly era: 'legacy' | 'modern';
  readonly own: Pick<ShiftingServer, 'listFails'>;
  readonly lines: string[];
}

function noted(handler: McpHttpHandler, { era, own, lines }: Noting): McpHttpHandler['fetch'] {
  return async (request, options) => {
    const text = request.method === 'POST' ? await request.clone().text() : '';
    const { method, id = null } = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    const session = request.headers.get('mcp-session-id');
    lines.push([request.method, method, session].filter(Boolean).join(' '));
    const error = { code: -32601, message: 'no such method' };
    // As servers answer that are older than the question.
    if (era === 'legacy' && method === 'server/discover') {
      return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 });
    }
    if (own.listFails && method === 'tools/list') return new Response(null, { status: 503 });
    return handler.fetch(request, options);
  };
}
