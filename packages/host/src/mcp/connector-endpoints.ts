import type { Connector } from '@portico/api';
import type { Connections } from '@portico/connections';
import { ErrorCode } from '@portico/rpc';
import { createMcpHandler } from '@portico/server';
import type { McpHttpHandler } from '@portico/server';
import type { Clock } from '../ports/clock.ts';
import type { ConnectorProxy } from './connector-proxy.ts';
import { unusableText } from './unusable-connector.ts';

/** Largest body of a request, in bytes (4 MiB). */
const MAX_BODY_BYTES = 4_194_304;
/** Sessions of one connector at once; of the clients that have sessions. */
const MAX_SESSIONS = 64;
/** Streams of change notices of one connector at once. */
const MAX_SUBSCRIPTIONS = 64;
/** A session without a stream and without a request ends after this time, in milliseconds (10 min). */
const SESSION_IDLE_MS = 600_000;
/** A connector that is being connected is waited for this long, in milliseconds: less than clients wait. */
const CONNECTING_WAIT_MS = 5_000;
/** How soon a client may ask again after a connector that cannot be used, in seconds. */
const RETRY_AFTER_S = 1;

export interface ConnectorEndpointOptions {
  readonly proxy: ConnectorProxy;
  readonly connections: Pick<Connections, 'get' | 'subscribeTo'>;
  readonly clock: Clock;
  /** What people see of a connector. */
  connector(connectorId: string): Connector;
  /** Origins whose pages may ask. */
  origins(): readonly string[];
}

/** MCP endpoints over HTTP, one for each connector. */
export interface ConnectorEndpoints {
  /** Serves one request to a connector that exists; 503 with the reason while it cannot be used. */
  handle(connectorId: string, request: Request): Promise<Response>;
  /** Ends all streams, sessions and requests. */
  close(): Promise<void>;
}

export function createConnectorEndpoints(options: ConnectorEndpointOptions): ConnectorEndpoints {
  const { proxy, clock } = options;
  const open = new Map<string, McpHttpHandler>();
  let closed = false;

  const handlerFor = (connectorId: string): McpHttpHandler => {
    const known = open.get(connectorId);
    if (known !== undefined) return known;
    const handler = createMcpHandler(
      () => {
        const server = proxy.serverFor(connectorId);
        if (server === undefined) throw new TypeError('the connector cannot be used');
        return server;
      },
      {
        legacy: 'sessions',
        sessions: { maxSessions: MAX_SESSIONS, idleMs: SESSION_IDLE_MS },
        maxBodyBytes: MAX_BODY_BYTES,
        maxSubscriptions: MAX_SUBSCRIPTIONS,
        clock,
        // The host's own gates have looked at the host and at the origin.
        allowedHosts: ['*'],
        allowedOrigins: options.origins(),
      },
    );
    open.set(connectorId, handler);
    return handler;
  };

  return {
    async handle(connectorId, request) {
      if (request.method === 'POST' && !(await isUsable(options, connectorId, request.signal))) {
        return unusable(options.connector(connectorId));
      }
      if (closed) return unusable(options.connector(connectorId));
      return await handlerFor(connectorId).fetch(request);
    },
    async close() {
      closed = true;
      await Promise.all([...open.values()].map((handler) => handler.close()));
      open.clear();
    },
  };
}

/** Whether a connector can be used, as soon as that is known. */
function isUsable(
  { connections, clock }: ConnectorEndpointOptions,
  connectorId: string,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      unsubscribe();
      timer.cancel();
      signal.removeEventListener('abort', end);
      const status = connections.get(connectorId)?.status;
      resolve(status === 'ready' || status === 'degraded');
    };
    const look = (): void => {
      if (connections.get(connectorId)?.status !== 'connecting' || signal.aborted) end();
    };
    const unsubscribe = connections.subscribeTo(connectorId, look);
    const timer = clock.setTimer(CONNECTING_WAIT_MS, end);
    signal.addEventListener('abort', end);
    look();
  });
}

/** A status after which clients try again by themselves. */
function unusable(connector: Connector): Response {
  const error = {
    code: ErrorCode.InternalError,
    message: unusableText(connector),
    data: { code: 'connector_not_ready', status: connector.status },
  };
  return Response.json(
    { jsonrpc: '2.0', error },
    { status: 503, headers: { 'retry-after': String(RETRY_AFTER_S) } },
  );
}
