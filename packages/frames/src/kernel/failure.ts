import { MCP_ERRORS } from '../errors.ts';
import type { McpErrorCode } from '../errors.ts';
import { MAX_RETRY_AFTER_MS } from '../limits.ts';
import { SavedError, hasOwn, isFiniteNumber, own, put } from './builtins.ts';

/** A failure on its way to the page. */
export type Failure = Error & { readonly code: McpErrorCode };

/** A connector call that fails inside the kernel. */
export interface FailureParts {
  readonly message?: string | undefined;
  readonly server?: string | undefined;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly result?: { readonly value: unknown } | undefined;
}

/** Builds what a page gets to see: an Error whose members are all plain own properties. */
export function createFailure(code: McpErrorCode, parts: FailureParts = {}): Failure {
  const message = parts.message === undefined || parts.message === '' ? MCP_ERRORS[code] : parts.message;
  const failure = new SavedError(message);
  put(failure, 'name', 'McpError');
  put(failure, 'message', message);
  put(failure, 'code', code);
  if (parts.server !== undefined) put(failure, 'server', parts.server);
  if (parts.retryable === true) put(failure, 'retryable', true);
  if (parts.retryAfterMs !== undefined) put(failure, 'retryAfterMs', parts.retryAfterMs);
  if (parts.result !== undefined) put(failure, 'result', parts.result.value);
  return failure as Failure;
}

function isKnown(code: unknown): code is McpErrorCode {
  return typeof code === 'string' && hasOwn(MCP_ERRORS, code);
}

/** Codes whose producer may license one repetition; a code newer than this contract counts too. */
function mayRetry(code: unknown): boolean {
  return (
    !isKnown(code) || code === 'server_unavailable' || code === 'rate_limited' || code === 'upstream_error'
  );
}

function retryHint(value: unknown): number | undefined {
  if (typeof value !== 'number' || !isFiniteNumber(value) || value < 0) return undefined;
  return value > MAX_RETRY_AFTER_MS ? MAX_RETRY_AFTER_MS : value;
}

/**
 * Makes a page's failure out of what the shell sent, whatever that is.
 *
 * @param value the error as it arrived
 * @param server the name the page passed, used when the failure concerns one connector
 */
export function failureFromShell(value: unknown, server: string | undefined): Failure {
  const code = own(value, 'code');
  const message = own(value, 'message');
  const known = isKnown(code) ? code : 'upstream_error';
  const named = typeof own(value, 'server') === 'string' && server !== undefined;
  return createFailure(known, {
    message: typeof message === 'string' ? message : undefined,
    server: named ? server : undefined,
    retryable: mayRetry(code) && own(value, 'retryable') === true,
    retryAfterMs: retryHint(own(value, 'retryAfterMs')),
    result:
      known === 'tool_error' && hasOwn(value as object, 'result')
        ? { value: own(value, 'result') }
        : undefined,
  });
}
