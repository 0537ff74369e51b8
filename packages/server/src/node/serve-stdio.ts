import { McpServer, type Server, type ServerConnection } from '@portico/server';
import type { Transport } from '@portico/rpc';
import { StdioServerTransport } from './stdio-transport.ts';

export interface ServeStdioOptions {
  /** `reject` answers legacy openings with the revisions that are served. Default `serve`. */
  readonly legacy?: 'serve' | 'reject';
  /** Another channel with the same framing. Default: standard input and output. */
  readonly transport?: Transport;
  /** Open subscriptions allowed at once. Default 1024. */
  readonly maxSubscriptions?: number;
  /** Faults outside any call, for reporting only. Never write them to standard output. */
  readonly onerror?: (error: Error) => void;
}

export interface StdioServerHandle {
  /** Ends subscriptions gracefully, then the connection. */
  close(): Promise<void>;
  /** Settles when the connection has ended, whichever side ended it. */
  readonly closed: Promise<void>;
}

/**
 * Serves one client over standard input and output, in whichever era it opens. Standard output
 * belongs to the protocol from then on: log to standard error.
 */
export function serveStdio(
  source: McpServer | Server | (() => McpServer | Server | Promise<McpServer | Server>),
  options: ServeStdioOptions = {},
): StdioServerHandle {
  const transport = options.transport ?? new StdioServerTransport();
  const closed = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  const starting = start(source, transport, options);
  starting.catch((error: unknown) => {
    options.onerror?.(error instanceof Error ? error : new TypeError(String(error)));
    return transport.close();
  });
  return {
    closed,
    async close() {
      const connection = await starting;
      await connection.close();
    },
  };
}

async function start(
  source: Parameters<typeof serveStdio>[0],
  transport: Transport,
  { legacy = 'serve', maxSubscriptions, onerror }: ServeStdioOptions,
): Promise<ServerConnection> {
  const made = typeof source === 'function' ? await source() : source;
  const server = made instanceof McpServer ? made.server : made;
  if (onerror !== undefined) server.onerror = onerror;
  return server.attach(transport, {
    legacy,
    sole: true,
    ...(maxSubscriptions === undefined ? {} : { maxSubscriptions }),
  });
}
