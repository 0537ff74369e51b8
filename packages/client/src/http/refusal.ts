import { isJSONRPCErrorResponse } from '@portico/rpc';
import type { JSONRPCErrorResponse, JSONRPCMessage, RequestId } from '@portico/rpc';
import { SESSION_ID_HEADER, isModernErrorCode } from '@portico/spec';
import { SdkError, SdkHttpError } from '../errors.ts';
import type { SdkErrorCode, SdkHttpErrorData } from '../errors.ts';
import type { HttpAnswer } from './http-client.ts';

const SESSION = SESSION_ID_HEADER.toLowerCase();
/** Bytes of a refusal's body that are looked at. */
const MAX_REFUSAL_BYTES = 65_536;
/** Characters of it that are kept for the person. */
const KEPT_LENGTH = 1_024;

/** An answer that is no success, with what its body says. */
export interface Refusal {
  readonly status: number;
  /** The JSON-RPC error in the body, whatever the content type says. */
  readonly rpcError?: JSONRPCErrorResponse;
  /** The session id the refused request carried is not (or no longer) known. */
  readonly sessionLost: boolean;
  readonly error: SdkHttpError;
}

function parseRpcError(body: string): JSONRPCErrorResponse | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isJSONRPCErrorResponse(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * 404 means by the specification that a session is over, and some servers say 410. Restarted servers
 * often answer 400 with an error that names no request: then too the session is what they refuse.
 */
function namesLostSession(status: number, rpcError: JSONRPCErrorResponse | undefined): boolean {
  if (status === 404 || status === 410) return true;
  return status === 400 && rpcError !== undefined && (rpcError.id ?? null) === null;
}

function codeOf(status: number, sessionLost: boolean): SdkErrorCode {
  if (sessionLost) return 'CLIENT_HTTP_SESSION_LOST';
  if (status === 401) return 'CLIENT_HTTP_AUTHENTICATION';
  return status === 403 ? 'CLIENT_HTTP_FORBIDDEN' : 'CLIENT_HTTP_NOT_IMPLEMENTED';
}

async function readRefusal(answer: HttpAnswer): Promise<string> {
  try {
    return await answer.text(MAX_REFUSAL_BYTES);
  } catch {
    // A refusal needs no body; what matters is the status.
    return '';
  }
}

/** Reads an answer that is no success. `withSession` tells whether the request carried a session id. */
export async function refusalOf(answer: HttpAnswer, withSession: boolean): Promise<Refusal> {
  const { status, statusText } = answer;
  const body = await readRefusal(answer);
  const rpcError = parseRpcError(body);
  const sessionLost = withSession && namesLostSession(status, rpcError);
  const challenge = answer.header('www-authenticate');
  const location = answer.header('location');
  const retryAfterS = Number(answer.header('retry-after') ?? Number.NaN);
  const data: SdkHttpErrorData = {
    status,
    statusText,
    ...(body === '' ? {} : { body: body.slice(0, KEPT_LENGTH) }),
    ...(challenge === undefined ? {} : { challenge }),
    ...(location === undefined ? {} : { location: location.slice(0, KEPT_LENGTH) }),
    ...(retryAfterS > 0 ? { retryAfterMs: retryAfterS * 1_000 } : {}),
  };
  return {
    status,
    ...(rpcError === undefined ? {} : { rpcError }),
    sessionLost,
    error: new SdkHttpError(codeOf(status, sessionLost), data),
  };
}

/** What a refused request was. */
export interface RefusedRequest {
  /** Undefined for what is no request. */
  readonly id: RequestId | undefined;
  readonly modern: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A modern refusal in JSON-RPC is the answer to the request; any other is the transport's matter.
 *
 * @throws SdkHttpError as {@link refusalOf}
 */
export async function answerInRefusal(answer: HttpAnswer, request: RefusedRequest): Promise<JSONRPCMessage> {
  const { rpcError, status, error } = await refusalOf(answer, request.headers[SESSION] !== undefined);
  const { id } = request;
  const unauthorized = status === 401 || status === 403;
  if (request.modern && id !== undefined && rpcError !== undefined && !unauthorized && status < 500) {
    const named = rpcError.id ?? null;
    if (named === id || (named === null && isModernErrorCode(rpcError.error.code)))
      return { ...rpcError, id };
  }
  throw error;
}

/** A success with a body that is no protocol message. */
export function unexpectedContent(type: string): SdkError {
  return new SdkError('CLIENT_HTTP_UNEXPECTED_CONTENT', {
    message: `the answer is ${type === '' ? 'of no type' : type}, no message`,
    data: { contentType: type },
  });
}
