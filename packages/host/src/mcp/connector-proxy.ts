import type { ConnectionState, Connections } from '@portico/connections';
import { Server } from '@portico/server';
import type { LoggingLevel } from '@portico/spec';
import { isLoggingLevel, isSpecMethod } from '@portico/spec';
import { answerFor } from './answer-for.ts';
import type { ConnectorAudience } from './connector-audience.ts';
import { forwardRequests } from './forward-requests.ts';
import { offeredCapabilities } from './offered-capabilities.ts';

export interface ConnectorProxyOptions {
  readonly connections: Pick<Connections, 'get' | 'request' | 'watchResource' | 'wantLogs'>;
  /** Where tools are called, as every other call of the host is. */
  readonly calls: Pick<Connections, 'callTool'>;
  readonly audience: Pick<ConnectorAudience, 'listen'>;
  /** Puts the names of a connector's secrets in the place of their values. */
  readonly hide: (connectorId: string, text: string) => string;
}

/**
 * Servers that answer as connectors do, lists and errors included. Knows nothing of who asks, nor over what:
 * that is the business of whatever serves them. Changes that a connector announces go to all of its clients
 * together, which is that one's business too.
 */
export interface ConnectorProxy {
  /**
   * A server for one client of a connector, or for one request of it; undefined while the connector cannot
   * be used. It is good for as long as the connector is not opened anew, and its `onclose` is taken.
   */
  serverFor(connectorId: string): Server | undefined;
}

export function createConnectorProxy(options: ConnectorProxyOptions): ConnectorProxy {
  const { connections } = options;
  return {
    serverFor(connectorId) {
      const state = connections.get(connectorId);
      if (!isUsable(state) || state?.server === undefined) return undefined;
      const { server: info, capabilities = {}, instructions } = state;
      const fail = (error: unknown): never => {
        throw answerFor(error, (text) => options.hide(connectorId, text));
      };
      const server = new Server(info, {
        capabilities: offeredCapabilities(capabilities),
        watchResource: (uri) => connections.watchResource(connectorId, uri).catch(fail),
        ...(instructions === undefined ? {} : { instructions }),
      });
      const logs = keepLogLevel(server, (level) => connections.wantLogs(connectorId, level).catch(fail));
      server.fallbackRequestHandler = forwardRequests({ ...options, connectorId, level: logs.level });
      const leave = options.audience.listen(connectorId, (notification) => hear(server, notification));
      server.onclose = () => {
        leave();
        logs.end();
      };
      return server;
    },
  };
}

/** Whether a connector can be asked anything now. */
export function isUsable(state: Pick<ConnectionState, 'status'> | undefined): boolean {
  return state?.status === 'ready' || state?.status === 'degraded';
}

/** What goes to each client by itself: log messages by its level, and what vendors have thought of. */
function hear(server: Server, { method, params }: { method: string; params?: object | undefined }): void {
  const given = params as Record<string, unknown> | undefined;
  if (method === 'notifications/message') {
    if (isLoggingLevel(given?.['level']) && server.getCapabilities().logging !== undefined)
      quietly(server.sendLoggingMessage({ ...given, level: given['level'], data: given['data'] }));
  } else if (!isSpecMethod(method)) quietly(server.notification(method, given));
}

/** A client that has gone, or has not begun, misses it. */
function quietly(sending: Promise<void>): void {
  sending.catch(() => undefined);
}

/** A session's own log level: the connector's server is asked for as much as the one who wants most. */
function keepLogLevel(
  server: Server,
  want: (level: LoggingLevel) => Promise<() => void>,
): { readonly level: () => LoggingLevel | undefined; readonly end: () => void } {
  let level: LoggingLevel | undefined;
  let release = (): void => undefined;
  let over = false;
  if (server.getCapabilities().logging !== undefined) {
    server.setRequestHandler('logging/setLevel', async ({ params }) => {
      const wanted = params['level'];
      // The server itself refuses what is no level.
      if (!isLoggingLevel(wanted)) return {};
      const next = await want(wanted);
      release();
      release = next;
      level = wanted;
      if (over) release();
      return {};
    });
  }
  return {
    level: () => level,
    end() {
      over = true;
      release();
    },
  };
}
