import { isProtocolError, isRpcError } from '@portico/rpc';
import type { RpcError, RpcErrorCode } from '@portico/rpc';
import { receivedError } from './protocol-error.ts';
import { SdkError } from './sdk-errors.ts';
import type { SdkErrorCode } from './sdk-errors.ts';

const CODES: Readonly<Partial<Record<RpcErrorCode, SdkErrorCode>>> = {
  request_timeout: 'REQUEST_TIMEOUT',
  aborted: 'REQUEST_ABORTED',
  connection_closed: 'CONNECTION_CLOSED',
  wrong_state: 'NOT_CONNECTED',
  send_failed: 'SEND_FAILED',
  message_too_large: 'MESSAGE_TOO_LARGE',
  too_deep: 'INVALID_MESSAGE',
  parse_error: 'INVALID_MESSAGE',
  invalid_message: 'INVALID_MESSAGE',
  batch_refused: 'INVALID_MESSAGE',
};

/**
 * Turns whatever a call ended with into an error of this side; what the server itself answered keeps
 * its number, message and data, in the class that MCP has for it. What is such an error already stays as it
 * is. The one place where the engine's codes become the official ones.
 *
 * @param cause why the connection ended, when that is known
 */
export function toLocalError(error: unknown, cause?: unknown): Error {
  if (isProtocolError(error)) return error.received === true ? error : receivedError(error);
  if (error instanceof SdkError) return error;
  if (!isRpcError(error)) return new SdkError('SEND_FAILED', { cause: error });
  // Whoever gives a call up says with what, if he gives an error of this side as the reason.
  if (error.cause instanceof SdkError) return error.cause;
  // A broken answer is the end of its request, whatever is wrong with it.
  const code = hasMember(error.data, 'answerTo') ? 'INVALID_RESULT' : (CODES[error.code] ?? 'SEND_FAILED');
  if (code === 'REQUEST_TIMEOUT') return timeoutError(error);
  const closed = code === 'CONNECTION_CLOSED';
  return new SdkError(code, {
    data: error.data,
    cause: closed && cause !== undefined ? cause : (error.cause ?? error),
  });
}

function timeoutError(error: RpcError): SdkError {
  const { data } = error;
  const timeout = hasMember(data, 'timeoutMs') ? data.timeoutMs : undefined;
  const cause = error.cause ?? error;
  if (!hasMember(data, 'answeredAs')) return new SdkError('REQUEST_TIMEOUT', { data: { timeout }, cause });
  // Ids are compared by type and value: whoever wrote the server wants to know how it missed.
  const { answeredAs } = data;
  return new SdkError('REQUEST_TIMEOUT', {
    message: `no answer came in time, but one to the id ${JSON.stringify(answeredAs)}, which is of another type`,
    data: { timeout, answeredAs },
    cause,
  });
}

function hasMember<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value;
}
