import type { Connector } from '@portico/api';
import type { Connections } from '@portico/connections';
import { ErrorCode } from '@portico/rpc';
import type { McpHttpHandler } from '@portico/server';
import type { Clock } from '../ports/clock.ts';
import type { ConnectorAudience } from './connector-audience.ts';
import { createConnectorEndpoint } from './connector-endpoint.ts';
import { isUsable } from './connector-proxy.ts';
import type { ConnectorProxy } from './connector-proxy.ts';
import { unusableText } from './unusable-connector.ts';

/** Sessions of all connectors at once. */
const MAX_SESSIONS = 512;
/** A connector that is being connected is waited for this long, in milliseconds: less than clients wait. */
const CONNECTING_WAIT_MS = 5_000;
/** How soon a client may ask again, in seconds. */
const RETRY_AFTER_S = 1;

export interface ConnectorEndpointsOptions {
  readonly proxy: ConnectorProxy;
  readonly audience: Pick<ConnectorAudience, 'listen'>;
  readonly connections: Pick<Connections, 'get' | 'connect' | 'subscribeTo'>;
  readonly clock: Clock;
  /** What people see of a connector. */
  connector(connectorId: string): Connector;
  /** Origins whose pages may ask. */
  origins(): readonly string[];
}

/**
 * MCP endpoints over HTTP, one for each connector. What a client was told when it began, its capabilities
 * among it, is true of one opening of the connector only: so sessions and streams end with that, when the
 * calls under way are answered, and clients begin anew. Until they can they get 503, after which they try
 * again by themselves.
 */
export interface ConnectorEndpoints {
  /** Serves one request to a connector that exists. */
  handle(connectorId: string, request: Request): Promise<Response>;
  /** Ends all streams, sessions and requests. */
  close(): Promise<void>;
}

export function createConnectorEndpoints(options: ConnectorEndpointsOptions): ConnectorEndpoints {
  const { connections } = options;
  const open = new Map<string, McpHttpHandler>();
  const leaving = new Set<McpHttpHandler>();
  const ending = new AbortController();
  let sessions = 0;

  const retire = async (connectorId: string, endpoint: McpHttpHandler): Promise<void> => {
    open.delete(connectorId);
    leaving.add(endpoint);
    await endpoint.close({ graceful: true });
    leaving.delete(endpoint);
  };
  const begin = (connectorId: string): McpHttpHandler => {
    const endpoint = createConnectorEndpoint({
      ...options,
      connectorId,
      origins: options.origins(),
      sessions: (change) => (sessions += change),
    });
    open.set(connectorId, endpoint);
    const unsubscribe = connections.subscribeTo(connectorId, () => {
      if (isUsable(connections.get(connectorId))) return;
      unsubscribe();
      void retire(connectorId, endpoint);
    });
    return endpoint;
  };

  return {
    async handle(connectorId, request) {
      // Whoever leaves waits for nothing, and uses nothing.
      if (request.method !== 'DELETE') {
        if (connections.get(connectorId)?.status === 'idle') void connections.connect(connectorId);
        if (connections.get(connectorId)?.status === 'connecting')
          await untilKnown(options, connectorId, AbortSignal.any([request.signal, ending.signal]));
      }
      if (ending.signal.aborted || !isUsable(connections.get(connectorId)))
        return unusable(options.connector(connectorId));
      if (opensSession(request) && sessions >= MAX_SESSIONS) {
        return unavailable({ message: 'Too many sessions are open.', data: { code: 'too_many_sessions' } });
      }
      return await (open.get(connectorId) ?? begin(connectorId)).fetch(request);
    },
    async close() {
      ending.abort();
      await Promise.all([...open.values(), ...leaving].map((endpoint) => endpoint.close()));
      open.clear();
    },
  };
}

/** Settles when a connection is not merely being opened. */
function untilKnown(
  { connections, clock }: Pick<ConnectorEndpointsOptions, 'connections' | 'clock'>,
  connectorId: string,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      unsubscribe();
      timer.cancel();
      signal.removeEventListener('abort', end);
      resolve();
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

/** Only a handshake of the era with sessions comes without the name of a session and of a method. */
function opensSession({ method, headers }: Request): boolean {
  return method === 'POST' && !headers.has('mcp-session-id') && !headers.has('mcp-method');
}

function unusable(connector: Connector): Response {
  const data = { code: 'connector_not_ready', status: connector.status };
  return unavailable({ message: unusableText(connector), data });
}

function unavailable(error: { readonly message: string; readonly data: object }): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code: ErrorCode.InternalError, ...error } },
    { status: 503, headers: { 'retry-after': String(RETRY_AFTER_S) } },
  );
}
