/** Why something that was asked of a server failed, as screens show it. */
export interface McpProblem {
  readonly code: McpProblemCode;
  /** The server's own number, where it answered with an error. */
  readonly rpcCode?: number;
  /** Whoever noticed it, in their own words. */
  readonly message: string;
  /** What the server sent with its error. */
  readonly data?: unknown;
}

/** Codes that have a text of their own. */
const KNOWN = [
  'server_error',
  'request_timeout',
  'connect_timeout',
  'connection_closed',
  'connection_lost',
  'network_error',
  'http_error',
  'auth_required',
  'invalid_answer',
  'not_supported',
  'not_ready',
  'session_lost',
  'version_unsupported',
] as const;

export type McpProblemCode = (typeof KNOWN)[number] | 'other';

export function problemCode(code: unknown): McpProblemCode {
  return KNOWN.find((known) => known === code) ?? 'other';
}

/** What a call rejected with. */
export function toMcpProblem(thrown: unknown): McpProblem {
  const { code, message, data } = isRecord(thrown) ? thrown : {};
  const inner = isRecord(data) ? data : {};
  return {
    code: problemCode(code),
    message: typeof message === 'string' ? message : String(thrown),
    ...(typeof inner['code'] === 'number' ? { rpcCode: inner['code'] } : {}),
    ...(inner['data'] === undefined ? {} : { data: inner['data'] }),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
