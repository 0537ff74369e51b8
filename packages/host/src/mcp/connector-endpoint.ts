import type { IncomingNotification } from '@portico/client';
import { createMcpHandler } from '@portico/server';
import type { McpHttpHandler, ServerEvent } from '@portico/server';
import type { Clock } from '../ports/clock.ts';
import type { ConnectorAudience } from './connector-audience.ts';
import type { ConnectorProxy } from './connector-proxy.ts';

/** Largest body of a request, in bytes (4 MiB). */
const MAX_BODY_BYTES = 4_194_304;
/** Sessions of one connector at once, of clients of the era that has sessions. */
const MAX_SESSIONS = 64;
/** Streams of change notices of one connector at once, of clients of the other. */
const MAX_SUBSCRIPTIONS = 64;
/** A session without a stream and without a request ends after this time, in milliseconds (10 min). */
const SESSION_IDLE_MS = 600_000;

export interface ConnectorEndpointOptions {
  readonly connectorId: string;
  readonly proxy: ConnectorProxy;
  readonly audience: Pick<ConnectorAudience, 'listen'>;
  readonly clock: Clock;
  /** Origins whose pages may ask. */
  readonly origins: readonly string[];
  /** Told of sessions that come (1) and go (-1). */
  sessions(change: 1 | -1): void;
}

/** Serves one connector over HTTP, for as long as it is not opened anew. */
export function createConnectorEndpoint(options: ConnectorEndpointOptions): McpHttpHandler {
  const { connectorId, proxy, audience, clock } = options;
  const handler = createMcpHandler(
    () => {
      const server = proxy.serverFor(connectorId);
      // It went between the look at it and this.
      if (server === undefined) throw new TypeError('the connector cannot be used');
      return server;
    },
    {
      legacy: 'sessions',
      sessions: {
        maxSessions: MAX_SESSIONS,
        idleMs: SESSION_IDLE_MS,
        onsessioninitialized: () => options.sessions(1),
        onsessionclosed: () => options.sessions(-1),
      },
      maxBodyBytes: MAX_BODY_BYTES,
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      clock,
      // The host's own gates have looked at the host and at the origin.
      allowedHosts: ['*'],
      allowedOrigins: options.origins,
    },
  );
  const leave = audience.listen(connectorId, (notification) => {
    const change = changeIn(notification);
    if (change !== undefined) handler.bus.publish(change);
  });
  return {
    ...handler,
    close(how) {
      leave();
      return handler.close(how);
    },
  };
}

function changeIn({ method, params }: IncomingNotification): ServerEvent | undefined {
  switch (method) {
    case 'notifications/tools/list_changed':
      return { kind: 'tools_list_changed' };
    case 'notifications/prompts/list_changed':
      return { kind: 'prompts_list_changed' };
    case 'notifications/resources/list_changed':
      return { kind: 'resources_list_changed' };
    case 'notifications/resources/updated': {
      const uri: unknown = params?.['uri'];
      return typeof uri === 'string' ? { kind: 'resource_updated', uri } : undefined;
    }
    default:
      return undefined;
  }
}
