import { PassThrough } from 'node:stream';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@portico/client';
import { type JSONRPCMessage, type Transport, createMemoryTransportPair } from '@portico/rpc';
import { type CreateMcpHandlerOptions, type McpServer, createMcpHandler } from '@portico/server';
import { StdioServerTransport, serveStdio } from '@portico/server/stdio';
import type { Era, Seen } from './server-routes.ts';

/** One message as it went over the wire. */
interface Logged {
  readonly from: 'client' | 'server';
  readonly message: Seen;
}

/** Our client, connected to a server of ours. */
export interface OpenedClient {
  readonly client: Client;
  /** Everything that both sides wrote, in order. */
  readonly log: readonly Logged[];
  /** Methods of the requests that the server wrote. */
  readonly asked: () => string[];
  /** Ends the server's side alone. */
  readonly release: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface OpenOptions extends ClientOptions {
  /** Runs before the client connects: the place for handlers. */
  readonly prepare?: (client: Client) => void;
  readonly handler?: CreateMcpHandlerOptions;
  /** Connects this one, which was connected before, instead of a new one. */
  readonly again?: Client;
}

/** One way of our client to a server of ours, in one era. */
interface LoggedRoute {
  readonly name: string;
  readonly transport: 'memory' | 'stdio' | 'http';
  readonly era: Era;
  open(makeServer: () => McpServer, options?: OpenOptions): Promise<OpenedClient>;
}

/** Writes down what passes, and passes it on as it is. */
function tapped(transport: Transport, log: Logged[]): Transport {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    log.push({ from: 'client', message: message as unknown as Seen });
    return send(message, options);
  };
  let receive: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => receive,
    set(callback: Transport['onmessage']) {
      receive =
        callback === undefined
          ? undefined
          : (message: JSONRPCMessage, extra) => {
              log.push({ from: 'server', message: message as unknown as Seen });
              callback(message, extra);
            };
    },
  });
  return transport;
}

interface Way {
  readonly transport: Transport;
  release(): Promise<void>;
}

async function memoryWay(makeServer: () => McpServer): Promise<Way> {
  const [transport, theirs] = createMemoryTransportPair();
  const server = makeServer();
  await server.connect(theirs);
  return { transport, release: () => server.close() };
}

/** The client's end of the pipe is a stdio transport the other way round. */
function stdioWay(makeServer: () => McpServer, { clock }: Pick<OpenOptions, 'clock'>): Way {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const timing = clock === undefined ? {} : { clock };
  const handle = serveStdio(makeServer, { transport: new StdioServerTransport(toServer, toClient, timing) });
  const transport = new StdioServerTransport(toClient, toServer);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    toServer.end();
  };
  return {
    transport,
    async release() {
      await handle.close();
      toClient.end();
    },
  };
}

function httpWay(
  makeServer: () => McpServer,
  { handler: options, clock }: Pick<OpenOptions, 'handler' | 'clock'>,
): Way {
  const handler = createMcpHandler(makeServer, { legacy: 'sessions', ...options });
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    ...(clock === undefined ? {} : { clock }),
    fetch: (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('host', 'localhost');
      return handler.fetch(new Request(url, { ...init, headers }));
    },
  });
  return { transport, release: () => handler.close() };
}

function route(transport: LoggedRoute['transport'], era: Era): LoggedRoute {
  return {
    name: `${era} ${transport}`,
    transport,
    era,
    async open(makeServer, { prepare, handler, again, ...options } = {}) {
      const way =
        transport === 'memory'
          ? await memoryWay(makeServer)
          : transport === 'stdio'
            ? stdioWay(makeServer, { ...(options.clock && { clock: options.clock }) })
            : httpWay(makeServer, {
                ...(handler && { handler }),
                ...(options.clock && { clock: options.clock }),
              });
      const log: Logged[] = [];
      const mode = era === 'modern' ? 'auto' : 'legacy';
      const client =
        again ?? new Client({ name: 'rows', version: '1' }, { versionNegotiation: { mode }, ...options });
      prepare?.(client);
      await client.connect(tapped(way.transport, log));
      return {
        client,
        log,
        asked: () =>
          log.flatMap(({ from, message }) =>
            from === 'server' && 'method' in message && 'id' in message ? [String(message['method'])] : [],
          ),
        release: () => way.release(),
        async close() {
          await client.close();
          await way.release();
        },
      };
    },
  };
}

/** Every way of our client to a server of ours. */
export const LOGGED_ROUTES: readonly LoggedRoute[] = (['legacy', 'modern'] as const).flatMap((era) =>
  (['memory', 'stdio', 'http'] as const).map((transport) => route(transport, era)),
);
