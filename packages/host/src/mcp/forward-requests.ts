import type { CallOptions, Connections, ToolCall } from '@portico/connections';
import type { ServerContext, ServerRequestHandler } from '@portico/server';
import { LOG_LEVEL_META_KEY, isLoggingLevel } from '@portico/spec';
import type { LoggingLevel } from '@portico/spec';
import { CALL_SILENCE_MS, CALL_TOTAL_MS } from '../conversations/call-runner.ts';
import type { ConnectorAudience } from './connector-audience.ts';
import { answerFor } from './answer-for.ts';

export interface ForwardOptions {
  readonly connectorId: string;
  readonly connections: Pick<Connections, 'get' | 'request' | 'wantLogs'>;
  readonly calls: Pick<Connections, 'callTool'>;
  readonly audience: Pick<ConnectorAudience, 'listen'>;
  readonly hide: (connectorId: string, text: string) => string;
  /** What the client of a session wants to read of the log; undefined where it has not said. */
  readonly level: () => LoggingLevel | undefined;
}

type Scope = ServerContext['mcpReq'];

/** Hands requests on as they are, and their answers, progress and log messages back. */
export function forwardRequests(options: ForwardOptions): ServerRequestHandler {
  const { connectorId, connections, calls, hide } = options;
  return async ({ method, params }, { mcpReq, client }) => {
    const limits: CallOptions = {
      signal: mcpReq.signal,
      timeoutMs: CALL_SILENCE_MS,
      maxTotalTimeoutMs: CALL_TOTAL_MS,
      onProgress: (progress) => mcpReq.progress(progress),
      onNotification: (notification) => logTo(mcpReq, notification),
      answers: answersOf(client.capabilities),
    };
    const stop = await hearLogs(options, mcpReq);
    try {
      const sent = withMeta(withAnswers(params, mcpReq), metaOf(options, mcpReq));
      if (method === 'tools/call' && isToolCall(sent)) return await calls.callTool(connectorId, sent, limits);
      return await connections.request(connectorId, method, sent, limits);
    } catch (error) {
      throw answerFor(error, (text) => hide(connectorId, text));
    } finally {
      stop();
    }
  };
}

/** Log messages that came with the answer are of nobody else's business. */
function logTo(mcpReq: Scope, { method, params }: { method: string; params?: object | undefined }): boolean {
  if (method !== 'notifications/message') return false;
  const { level, data, logger } = (params ?? {}) as Record<string, unknown>;
  if (isLoggingLevel(level)) {
    const name = typeof logger === 'string' ? logger : undefined;
    mcpReq.log(level, data, name).catch(() => undefined);
  }
  return true;
}

/**
 * A modern request says by itself what it wants to read of the log. Servers that do not tell which request a
 * message belongs to are heard for as long as it is under way.
 */
async function hearLogs(options: ForwardOptions, mcpReq: Scope): Promise<() => void> {
  const { connectorId, connections, audience } = options;
  const level = mcpReq.envelope?.logLevel;
  if (level === undefined) return () => undefined;
  const leave = audience.listen(connectorId, (notification) => void logTo(mcpReq, notification));
  // What is asked for is worth more than what is said about it.
  const release = await connections.wantLogs(connectorId, level).catch(() => () => undefined);
  return () => {
    leave();
    release();
  };
}

/**
 * Forms are shown by whoever asked, and to nobody else. The other questions are not handed on: there is no
 * place for them.
 */
function answersOf({ elicitation }: ServerContext['client']['capabilities']): CallOptions['answers'] {
  if (elicitation === undefined) return undefined;
  // An empty declaration means forms.
  const showsForms = elicitation.form !== undefined || elicitation.url === undefined;
  return showsForms ? { elicitation: { form: {} } } : undefined;
}

/** The server that asks keeps its own state in the client's hands, and gets it back untouched. */
function withAnswers(params: Readonly<Record<string, unknown>>, mcpReq: Scope): Record<string, unknown> {
  const { inputResponses } = mcpReq;
  const requestState = mcpReq.requestState<string>();
  return {
    ...params,
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

/** Which progress goes with which request is agreed on with each side by itself; so is the log level. */
function metaOf(options: ForwardOptions, { _meta: meta, envelope }: Scope): Record<string, unknown> {
  const { progressToken: _token, ...rest } = meta ?? {};
  const level = envelope?.logLevel ?? options.level();
  const { era } = options.connections.get(options.connectorId) ?? {};
  return level === undefined || era !== 'modern' ? rest : { ...rest, [LOG_LEVEL_META_KEY]: level };
}

function withMeta(
  { _meta: _sent, ...params }: Readonly<Record<string, unknown>>,
  meta: Record<string, unknown>,
): Record<string, unknown> {
  return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
}

/** A malformed call is the server's to refuse. */
function isToolCall(params: Record<string, unknown>): params is Record<string, unknown> & ToolCall {
  const { name, arguments: given } = params;
  return typeof name === 'string' && (given === undefined || (typeof given === 'object' && given !== null));
}
