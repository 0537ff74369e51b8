import { failureOf } from '@portico/client';
import type { ClientFailure } from '@portico/client';
import { isProtocolError } from '@portico/rpc';
import { CONNECTIONS_ERRORS, ConnectionsError } from '../errors.ts';
import type { ConnectionsErrorCode } from '../errors.ts';
import { isNotOffered } from '../link-failure.ts';
import type { ConnectionFailure } from '../state.ts';
import type { ServerFailure } from './server-parts.ts';

/** A failure with the sentence that is shown for it. */
export interface ShownFailure extends ServerFailure {
  readonly message: string;
}

/** Codes of the client that say that no version is common to both sides. */
const NO_COMMON_VERSION: ReadonlySet<string> = new Set([
  'UNSUPPORTED_PROTOCOL_VERSION',
  'ERA_NEGOTIATION_FAILED',
  '-32022',
]);

const isOwnCode = (code: string): code is ConnectionsErrorCode => Object.hasOwn(CONNECTIONS_ERRORS, code);

type Failed = Pick<ConnectionFailure, 'code' | 'step'>;

function codeOfAttempt({ code, step }: Failed): ConnectionsErrorCode {
  if (isOwnCode(code)) return code;
  if (code === 'CLIENT_HTTP_SESSION_LOST') return 'session_lost';
  if (NO_COMMON_VERSION.has(code)) return 'version_unsupported';
  switch (step) {
    case 'timeout':
      return 'connect_timeout';
    case 'http':
      return 'http_error';
    case 'sign_in':
      return 'auth_failed';
    case 'closed':
    case 'process':
      return 'connection_lost';
    case 'protocol':
      return /^-?\d+$/.test(code) ? 'server_error' : 'invalid_answer';
    default:
      return 'network_error';
  }
}

/** Why an attempt or a connection failed, in the codes of managed servers. */
export function shownFailure(failure: ConnectionFailure): ShownFailure {
  const { httpStatus, message, retryable } = failure;
  const code = codeOfAttempt(failure);
  return { code, message, retryable, ...(httpStatus === undefined ? {} : { httpStatus }) };
}

const CODE_OF_CALL: Readonly<Record<string, ConnectionsErrorCode>> = {
  timeout: 'request_timeout',
  sign_in: 'auth_required',
  closed: 'connection_closed',
  process: 'connection_closed',
  cancelled: 'connection_closed',
  protocol: 'invalid_answer',
};

function codeOfCall(failure: ClientFailure): ConnectionsErrorCode {
  const { code, step, httpStatus } = failure;
  if (isNotOffered(failure)) return 'not_supported';
  if (code === 'CLIENT_HTTP_SESSION_LOST') return 'session_lost';
  // Not lost at all: it is the sign-in that lacks something.
  if (step === 'http') return httpStatus === 401 ? 'auth_required' : 'http_error';
  return CODE_OF_CALL[step] ?? 'network_error';
}

/**
 * What a call of a managed server rejects with. The caller's own reason stays what it was.
 *
 * @param error whatever the client threw
 */
export function toServerCallError(id: string, error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof ConnectionsError) return error;
  if (isProtocolError(error)) {
    const { code, message, data } = error;
    const whole = { id, code, message, ...(data === undefined ? {} : { data }) };
    return new ConnectionsError('server_error', whole, { cause: error, message });
  }
  const failure = failureOf(error);
  const { httpStatus, message } = failure;
  const data = { id, ...(httpStatus === undefined ? {} : { httpStatus }) };
  return new ConnectionsError(codeOfCall(failure), data, { cause: error, message });
}
