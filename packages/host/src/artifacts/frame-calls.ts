import type { FrameCall } from '@portico/api';
import type { Connections } from '@portico/connections';
import { MCP_ERRORS } from '@portico/frames';
import type { McpError, McpErrorCode } from '@portico/frames';
import type { CallToolResult } from '@portico/spec';
import type { ConnectorService } from '../gateway/connector-service.ts';
import { FIRST_LIST_WAIT_MS } from '../gateway/first-use.ts';
import type { FirstUse } from '../gateway/first-use.ts';
import type { ArtifactRecord, ConnectorRecord, ConsentStore } from '../ports/stores.ts';
import { grantOf, serversOf } from './grants.ts';

/** A frame's call ends after this time, in milliseconds: sooner than its page gives up (F24). */
export const FRAME_CALL_MS = 120_000;

/** Largest input of a frame's call, in UTF-16 units of JSON (F73: 1 MiB). */
export const MAX_FRAME_INPUT = 1_048_576;

export interface FrameCallOptions {
  readonly connectors: Pick<ConnectorService, 'records' | 'state' | 'tools'>;
  readonly connections: Pick<Connections, 'callTool'>;
  readonly consents: ConsentStore;
  readonly firstUse: Pick<FirstUse, 'begin'>;
}

export type FrameAnswer =
  | { readonly ok: true; readonly result: Pick<CallToolResult, 'content' | 'structuredContent'> }
  | { readonly ok: false; readonly error: McpError };

/** A connector that the viewer has and the page asks for. */
export interface FrameServer {
  readonly server: string;
  readonly authStatus: 'connected' | 'needs_reauth' | 'unknown';
  readonly tools: readonly FrameTool[];
}

interface FrameTool {
  readonly name: string;
  readonly description: string;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

/** The gateway's half of a frame: checks everything again and alone holds credentials (F169). */
export interface FrameCalls {
  /** Never rejects for a reason that the page may know; runs the tool at most once (F32). */
  call(artifact: ArtifactRecord, call: FrameCall, signal: AbortSignal): Promise<FrameAnswer>;
  tools(artifact: ArtifactRecord): Promise<FrameServer[]>;
}

export function createFrameCalls(options: FrameCallOptions): FrameCalls {
  const { connectors, connections, consents, firstUse } = options;
  /** Connectors of exactly this name that are switched on (F36, F42). */
  const callable = (name: string): readonly ConnectorRecord[] =>
    connectors.records().filter((record) => record.name === name && record.enabled);

  /** The checks in their order (F52): an earlier failure causes none of the later activity. */
  const check = async (artifact: ArtifactRecord, call: FrameCall): Promise<ConnectorRecord | McpError> => {
    const { server, tool, input } = call;
    if (JSON.stringify(input).length > MAX_FRAME_INPUT)
      return mcpError('bad_request', { message: 'The input is too large.' });
    const published = serversOf(artifact).find((candidate) => candidate.name === server);
    if (published?.tools.includes(tool) !== true) return mcpError('not_in_manifest', { server });
    const [record, ...others] = callable(server);
    if (record === undefined) return mcpError('server_not_connected', { server });
    const grant = grantOf(published, await consents.list(artifact.id));
    if (grant.state !== 'allow') return mcpError('not_in_manifest', { server });
    if (others.length > 0) return mcpError('selection_required', { server });
    return connectors.state(record.id)?.status === 'needs_sign_in'
      ? mcpError('needs_reauth', { server })
      : record;
  };

  return {
    async call(artifact, call, signal) {
      const record = await check(artifact, call);
      if ('code' in record) return { ok: false, error: record };
      try {
        const result = await connections.callTool(
          record.id,
          { name: call.tool, arguments: call.input },
          { signal, timeoutMs: FRAME_CALL_MS, maxTotalTimeoutMs: FRAME_CALL_MS },
        );
        return answerOf(result, call.server);
      } catch (error) {
        return { ok: false, error: failureOf(error, call.server) };
      }
    },
    async tools(artifact) {
      const wanted = serversOf(artifact);
      const first = wanted.flatMap(({ name }) => callable(name).slice(0, 1));
      await Promise.all(first.map(({ id }) => firstUse.begin(id, { limitMs: FIRST_LIST_WAIT_MS })));
      return wanted.flatMap(({ name, tools }) => {
        const [record] = callable(name);
        if (record === undefined) return [];
        const listed = connectors.tools(record.id).filter((tool) => tools.includes(tool.name));
        return [
          {
            server: name,
            authStatus: authStatusOf(connectors.state(record.id)?.status),
            tools: listed.map(frameTool),
          },
        ];
      });
    },
  };
}

function mcpError(code: McpErrorCode, more: Partial<Omit<McpError, 'code'>> = {}): McpError {
  return { code, message: MCP_ERRORS[code], ...more };
}

/** Nothing but what is the page's business: no `_meta`, no claim to have come from a cache. */
function answerOf(result: CallToolResult, server: string): FrameAnswer {
  if (result.isError === true) {
    const told = result.content.find((block) => block.type === 'text');
    const text = told?.type === 'text' ? told.text.trim() : '';
    const message = text === '' ? MCP_ERRORS.tool_error : text.slice(0, 4096);
    return { ok: false, error: mcpError('tool_error', { server, message, result }) };
  }
  const { content, structuredContent } = result;
  return { ok: true, result: structuredContent === undefined ? { content } : { content, structuredContent } };
}

const UNAVAILABLE = new Set(['timeout', 'unreachable', 'connection_lost', 'not_ready', 'closed']);

function failureOf(error: unknown, server: string): McpError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'cancelled') return mcpError('cancelled', { server });
  if (code === 'needs_sign_in') return mcpError('needs_reauth', { server });
  if (code === 'unknown_connection') return mcpError('server_not_found', { server });
  if (typeof code === 'string' && UNAVAILABLE.has(code))
    return mcpError('server_unavailable', { server, retryable: true });
  return mcpError('upstream_error', { server });
}

function authStatusOf(status: string | undefined): FrameServer['authStatus'] {
  if (status === 'ready' || status === 'degraded') return 'connected';
  return status === 'needs_sign_in' ? 'needs_reauth' : 'unknown';
}

function frameTool(tool: {
  name: string;
  description?: string | undefined;
  annotations?: Record<string, unknown> | undefined;
}): FrameTool {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  const annotations = {
    ...(typeof readOnlyHint === 'boolean' ? { readOnlyHint } : {}),
    ...(typeof destructiveHint === 'boolean' ? { destructiveHint } : {}),
  };
  return {
    name: tool.name,
    description: tool.description ?? '',
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  };
}
