import { type Clock, type Transport, runGuarded, systemClock } from '@portico/rpc';
import { McpServer, type McpServerFactory, type Server, type ServerConnection } from '@portico/server';
import { StdioOpening } from './stdio-opening.ts';
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
  readonly clock?: Clock;
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
 *
 * A server serves both eras. A factory is asked with the first message, and told the era of the client;
 * it is asked twice when the client found out what the server speaks and then opens in the legacy era:
 * the server that answered that question is closed then, and another one bound for good.
 */
export function serveStdio(
  source: McpServer | Server | McpServerFactory,
  options: ServeStdioOptions = {},
): StdioServerHandle {
  const transport = options.transport ?? new StdioServerTransport();
  const report = (error: unknown): void => {
    const fault = error instanceof Error ? error : new TypeError(String(error));
    runGuarded(
      'onerror',
      () => options.onerror?.(fault),
      () => undefined,
    );
  };
  const closed = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      runGuarded('onclose', () => onclose?.(), report);
      resolve();
    };
  });
  const pipe =
    typeof source === 'function'
      ? opened(source, transport, { ...options, report })
      : bound(source, transport, options);
  pipe.starting.catch((error: unknown) => {
    report(error);
    return transport.close();
  });
  return {
    closed,
    async close() {
      await pipe.starting;
      const connection = pipe.connection();
      await (connection ?? transport).close();
    },
  };
}

/** A pipe that is being served. */
interface Pipe {
  readonly starting: Promise<unknown>;
  /** The server on it, when there is one. */
  connection(): ServerConnection | undefined;
}

function bound(source: McpServer | Server, transport: Transport, options: ServeStdioOptions): Pipe {
  let connection: ServerConnection | undefined;
  const start = async (): Promise<void> => {
    connection = await attach(source, transport, options);
  };
  return { starting: start(), connection: () => connection };
}

function opened(
  factory: McpServerFactory,
  transport: Transport,
  options: ServeStdioOptions & { readonly report: (error: unknown) => void },
): Pipe {
  const opening = new StdioOpening({
    transport,
    legacy: options.legacy ?? 'serve',
    clock: options.clock ?? systemClock,
    connect: async (era, channel) => attach(await factory({ era }), channel, options),
    report: options.report,
  });
  return { starting: opening.start(), connection: () => opening.connection };
}

function attach(
  source: McpServer | Server | Awaited<ReturnType<McpServerFactory>>,
  transport: Transport,
  { legacy = 'serve', maxSubscriptions, onerror }: ServeStdioOptions,
): Promise<ServerConnection> {
  const server = source instanceof McpServer ? source.server : source;
  if (onerror !== undefined) server.onerror = onerror;
  return server.attach(transport, {
    legacy,
    sole: true,
    ...(maxSubscriptions === undefined ? {} : { maxSubscriptions }),
  });
}
