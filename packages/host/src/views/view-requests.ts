import type { ViewRequest } from '@portico/api';
import type { Connections } from '@portico/connections';
import { ErrorCode } from '@portico/rpc';
import { CALL_SILENCE_MS, CALL_TOTAL_MS } from '../conversations/call-runner.ts';
import type { ConnectorService } from '../gateway/connector-service.ts';
import type { FirstUse } from '../gateway/first-use.ts';
import { wireError } from '../gateway/wire-error.ts';
import type { WireError } from '../gateway/wire-error.ts';

export interface ViewRequestOptions {
  readonly connectors: Pick<ConnectorService, 'tools' | 'record'>;
  readonly connections: Pick<Connections, 'request'>;
  readonly calls: Pick<Connections, 'callTool'>;
  readonly firstUse: Pick<FirstUse, 'begin'>;
}

export type ViewAnswer = { readonly result: unknown } | { readonly error: WireError };

/** What views ask of their own server, checked on this side as well: the page is not trusted to. */
export interface ViewRequests {
  /** Never rejects for what the server or the view did wrong. */
  answer(connectorId: string, request: ViewRequest, signal: AbortSignal): Promise<ViewAnswer>;
}

export function createViewRequests(options: ViewRequestOptions): ViewRequests {
  const { connectors, connections, calls, firstUse } = options;
  const callTool = async (
    connectorId: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ViewAnswer> => {
    const { name, arguments: input = {} } = params;
    if (typeof name !== 'string' || !isRecord(input))
      return refusal('A tool call needs a name and an object of arguments.');
    await firstUse.begin(connectorId, { signal });
    const tool = connectors.tools(connectorId).find((candidate) => candidate.name === name);
    // A tool that only the model may use looks to a view as if it were not there (P3).
    if (tool?.visibility.includes('app') !== true)
      return refusal(`There is no tool "${name.slice(0, 128)}" for this view.`);
    const limits = { signal, timeoutMs: CALL_SILENCE_MS, maxTotalTimeoutMs: CALL_TOTAL_MS };
    return { result: await calls.callTool(connectorId, { name, arguments: input }, limits) };
  };
  return {
    async answer(connectorId, request, signal) {
      if (connectors.record(connectorId) === undefined)
        return refusal('The connector of this view was deleted.');
      const { method, params } = request;
      try {
        if (method === 'tools/call') return await callTool(connectorId, params, signal);
        return { result: await connections.request(connectorId, method, params, { signal }) };
      } catch (error) {
        return { error: wireError(error) };
      }
    },
  };
}

function refusal(message: string): ViewAnswer {
  return { error: { code: ErrorCode.InvalidParams, message } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
