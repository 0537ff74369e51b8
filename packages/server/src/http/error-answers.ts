import { ErrorCode, type JSONRPCErrorObject, type RequestId, toErrorResponse } from '@portico/rpc';
import { ProtocolErrorCode, codecFor } from '@portico/spec';
import { ServerError } from '../errors.ts';
import { toWireError } from '../wire-error.ts';
import { type HttpAnswer, jsonAnswer } from './http-message.ts';

/** Bodies of legacy transport refusals; old clients know this number, it means nothing by itself. */
const LEGACY_REFUSAL = -32_000;

/**
 * The number in a refusal by the transport. Modern wires do not know the one that old clients are used
 * to; which kind of client it is, the header alone tells where no body was read.
 *
 * @param statedVersion the version header
 */
export function refusalCode(statedVersion: string | null | undefined): number {
  const modern = codecFor(statedVersion ?? '')?.era === 'modern';
  return modern ? ErrorCode.InvalidRequest : LEGACY_REFUSAL;
}

/** The legacy number for a session that is unknown or over. */
export const LEGACY_SESSION_GONE = -32_001;

/** A JSON-RPC error as an answer; without an id when there is none to name. */
export function errorAnswer(status: number, error: JSONRPCErrorObject, id?: RequestId): HttpAnswer {
  return jsonAnswer(status, id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error });
}

/** A refusal that concerns the transport only. */
export function refusal(status: number, message: string, code: number = LEGACY_REFUSAL): HttpAnswer {
  return errorAnswer(status, { code, message });
}

/** The answer to an HTTP method that is not served. */
export function methodNotAllowed(allow: string, code: number = LEGACY_REFUSAL): HttpAnswer {
  return jsonAnswer(405, { jsonrpc: '2.0', error: { code, message: 'Method not allowed.' } }, { allow });
}

/** The answer to a body that is too large, no JSON or no message. */
export function bodyRefusal(error: unknown): HttpAnswer {
  if (error instanceof ServerError && error.code === 'BODY_TOO_LARGE') {
    return errorAnswer(413, { code: ErrorCode.InvalidRequest, message: error.message });
  }
  const response = toErrorResponse(error);
  if (response === undefined) return errorAnswer(500, toWireError(error));
  return response.id === undefined || response.id === null
    ? errorAnswer(400, response.error)
    : errorAnswer(400, response.error, response.id);
}

const STATUS_400: ReadonlySet<number> = new Set([
  ProtocolErrorCode.ParseError,
  ProtocolErrorCode.InvalidRequest,
  ProtocolErrorCode.HeaderMismatch,
  ProtocolErrorCode.MissingRequiredClientCapability,
  ProtocolErrorCode.UnsupportedProtocolVersion,
]);

/**
 * The HTTP status of an error that a modern request ends with, while no stream is open. What a
 * handler throws is an answer like any other, but for a capability that the client lacks.
 */
export function modernStatus(error: JSONRPCErrorObject, handled: boolean): number {
  if (handled) return error.code === ProtocolErrorCode.MissingRequiredClientCapability ? 400 : 200;
  if (error.code === ErrorCode.MethodNotFound) return 404;
  return STATUS_400.has(error.code) ? 400 : 200;
}

/** What reporting gets of a refusal: its status and the sentence that the client was given. */
export function refusedRequest(status: number, body: string | undefined): ServerError {
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(body ?? '')?.[1];
  return new ServerError('REQUEST_REFUSED', {
    data: { status },
    ...(message === undefined ? {} : { message: `answered ${String(status)}: ${message}` }),
  });
}
