import { failureOf } from '@portico/client';
import { ConnectionsError } from './errors.ts';
import type { ConnectionsErrorCode } from './errors.ts';
import type { ConnectionFailure } from './state.ts';

/** What a sign-in may reject with; after these somebody has to do something. */
const NEEDS_SOMEBODY: ReadonlySet<ConnectionsErrorCode> = new Set([
  'needs_sign_in',
  'auth_required',
  'auth_failed',
  'auth_unsupported',
  'client_id_needed',
  'insecure_context',
]);

/** Failures that show that the line to the server is gone, not only slow. */
const LINE_STEPS: ReadonlySet<string> = new Set(['address', 'tcp', 'tls', 'http', 'closed', 'process']);

/** Whether it is the line that failed. Browsers do not say what of it did. */
export function isLineFailure({ code, step }: Pick<ConnectionFailure, 'code' | 'step'>): boolean {
  return LINE_STEPS.has(step) || code === 'CLIENT_HTTP_NETWORK' || code === 'network_error';
}

/** Codes of the client for what the server does not have. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  'CAPABILITY_NOT_SUPPORTED',
  'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
]);

/** Whether nothing was sent because the server does not have it. */
export function isNotOffered({ code }: Pick<ConnectionFailure, 'code'>): boolean {
  return NOT_OFFERED.has(code);
}

const MAX_CAUSES = 8;

function ownError(error: unknown): ConnectionsError | undefined {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    if (current instanceof ConnectionsError) return current;
    current = current.cause;
  }
  return undefined;
}

/** Takes apart what a client threw, and what this package's own parts made it throw. Never throws. */
export function linkFailure(error: unknown): ConnectionFailure {
  const own = ownError(error);
  if (own === undefined) return failureOf(error);
  const { code, message } = own;
  if (NEEDS_SOMEBODY.has(code)) return { code, message, step: 'sign_in', retryable: false };
  return { code, message, step: 'unknown', retryable: code === 'network_error' };
}
