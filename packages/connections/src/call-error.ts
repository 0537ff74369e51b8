import { failureOf } from '@portico/client';
import type { ClientFailure } from '@portico/client';
import { isProtocolError } from '@portico/rpc';
import { ConnectionsError } from './errors.ts';
import { isNotOffered } from './link-failure.ts';

/** Failures of which it is certain that the server never got the call. */
const UNDELIVERED: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

function lostOrUnreachable(id: string, failure: ClientFailure, cause: unknown): ConnectionsError {
  const certain = failure.step === 'address' || failure.step === 'tls' || UNDELIVERED.has(failure.systemCode);
  return certain
    ? new ConnectionsError('unreachable', { id }, { cause, message: failure.message })
    : new ConnectionsError('connection_lost', { id }, { cause });
}

function errorOfStep(id: string, failure: ClientFailure, cause: unknown): ConnectionsError {
  const { message } = failure;
  switch (failure.step) {
    case 'timeout':
      return new ConnectionsError('timeout', { id }, { cause });
    case 'cancelled':
      return new ConnectionsError('cancelled', { id }, { cause });
    case 'sign_in':
      // Not sent: there was no token to send it with, and there may be one the next time.
      return failure.retryable
        ? new ConnectionsError('unreachable', { id }, { cause, message })
        : new ConnectionsError('needs_sign_in', { id }, { cause });
    case 'protocol':
      return new ConnectionsError('invalid_answer', { id }, { cause, message });
    case 'http':
      return new ConnectionsError('unreachable', { id }, { cause, message });
    case 'address':
    case 'tcp':
    case 'tls':
    case 'command':
    case 'process':
    case 'closed':
    case 'unknown':
      return lostOrUnreachable(id, failure, cause);
  }
}

/** What a call that failed is told to its caller as. */
export function toCallError(id: string, error: unknown): ConnectionsError {
  if (error instanceof ConnectionsError) return error;
  if (isProtocolError(error)) {
    const data = { id, code: error.code, ...(error.data === undefined ? {} : { data: error.data }) };
    return new ConnectionsError('server_error', data, { cause: error, message: error.message });
  }
  const failure = failureOf(error);
  if (isNotOffered(failure)) {
    return new ConnectionsError('not_supported', { id }, { cause: error, message: failure.message });
  }
  return errorOfStep(id, failure, error);
}
