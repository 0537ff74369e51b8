import { ConnectionsError } from '@portico/connections';
import type { CallOptions, Connections, ToolCall } from '@portico/connections';
import { ProtocolError, isProtocolError } from '@portico/rpc';
import { Server } from '@portico/server';
import type { ServerRequestHandler } from '@portico/server';
import { CALL_SILENCE_MS, CALL_TOTAL_MS } from '../conversations/call-runner.ts';
import { wireError } from '../gateway/wire-error.ts';
import { offeredCapabilities } from './offered-capabilities.ts';

export interface ConnectorProxyOptions {
  readonly connections: Pick<Connections, 'get' | 'request'>;
  /** Where tools are called, as every other call of the host is. */
  readonly calls: Pick<Connections, 'callTool'>;
  /** Puts the names of a connector's secrets in the place of their values. */
  readonly hide: (connectorId: string, text: string) => string;
}

/**
 * Servers that answer as connectors do, lists and errors included. Knows nothing of who asks, nor over what:
 * that is the business of whatever serves them.
 */
export interface ConnectorProxy {
  /** A server for one client of a connector; undefined while the connector cannot be used. */
  serverFor(connectorId: string): Server | undefined;
}

export function createConnectorProxy(options: ConnectorProxyOptions): ConnectorProxy {
  const { connections } = options;
  return {
    serverFor(connectorId) {
      const state = connections.get(connectorId);
      const { status, server: info, capabilities = {}, instructions } = state ?? {};
      if (info === undefined || (status !== 'ready' && status !== 'degraded')) return undefined;
      const server = new Server(info, {
        capabilities: offeredCapabilities(capabilities),
        ...(instructions === undefined ? {} : { instructions }),
      });
      server.fallbackRequestHandler = forward(options, connectorId);
      return server;
    },
  };
}

/** Hands a request on as it is, and its answer back. */
function forward({ connections, calls, hide }: ConnectorProxyOptions, id: string): ServerRequestHandler {
  return async ({ method, params }, { mcpReq }) => {
    const limits: CallOptions = {
      signal: mcpReq.signal,
      timeoutMs: CALL_SILENCE_MS,
      maxTotalTimeoutMs: CALL_TOTAL_MS,
      onProgress: (progress) => mcpReq.progress(progress),
    };
    const sent = withMeta(params, mcpReq._meta);
    try {
      if (method === 'tools/call' && isToolCall(sent)) return await calls.callTool(id, sent, limits);
      return await connections.request(id, method, sent, limits);
    } catch (error) {
      throw asAnswer(error, (text) => hide(id, text));
    }
  };
}

/** Which progress goes with which request is agreed on with each side by itself. */
function withMeta(
  { _meta: _sent, ...params }: Readonly<Record<string, unknown>>,
  meta: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  const { progressToken: _token, ...rest } = meta ?? {};
  return Object.keys(rest).length === 0 ? params : { ...params, _meta: rest };
}

/** A malformed call is the server's to refuse. */
function isToolCall(params: Record<string, unknown>): params is Record<string, unknown> & ToolCall {
  const { name, arguments: given } = params;
  return typeof name === 'string' && (given === undefined || (typeof given === 'object' && given !== null));
}

/** What the server answered itself is told by its own error, which says that it came from there. */
function asAnswer(error: unknown, hide: (text: string) => string): ProtocolError {
  const cause = error instanceof ConnectionsError && error.code === 'server_error' ? error.cause : undefined;
  if (isProtocolError(cause)) return cause;
  const { code, message, data } = wireError(error, hide);
  return new ProtocolError(code, message, data);
}
