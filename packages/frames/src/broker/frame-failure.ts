import { ProtocolError } from '@portico/rpc';
import { MCP_ERRORS } from '../errors.ts';
import type { McpError, McpErrorCode } from '../errors.ts';

/** Number of every failure on the wire; its `data` says which. */
const WIRE_CODE = -32_000;

/** A failure in the form that the kernel reads. */
export function frameFailure(error: McpError): ProtocolError {
  return new ProtocolError(WIRE_CODE, error.message, error);
}

/** A failure of one code with the table's own text. */
export function failureOf(code: McpErrorCode, server?: string): ProtocolError {
  return frameFailure({ code, message: MCP_ERRORS[code], ...(server === undefined ? {} : { server }) });
}

/** Takes from a gateway's error what a page may see; the name is the one the page passed. */
export function failureFromGateway(error: McpError, server: string): ProtocolError {
  return frameFailure({
    code: error.code,
    message: error.message,
    server,
    ...(error.retryable === true ? { retryable: true } : {}),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    ...(error.code === 'tool_error' ? { result: withoutMarker(error.result) } : {}),
  });
}

/** A tool's answer without a `cache` member at its top, which only the shell may set. */
export function withoutMarker(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  if (!Object.hasOwn(result, 'cache')) return result;
  const { cache: _cache, ...rest } = result as Record<string, unknown>;
  return rest;
}
