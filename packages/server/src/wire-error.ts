import { ErrorCode, type JSONRPCErrorObject, ProtocolError, isProtocolError } from '@portico/rpc';
import { ProtocolErrorCode, type WireError, isModernErrorCode } from '@portico/spec';

/** Something to throw for an error that the specification has a form for. */
export function protocolError(error: WireError): ProtocolError {
  return new ProtocolError(error.code, error.message, error.data);
}

/** The answer to a method that does not exist, or not for this caller. */
export function methodNotFound(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method}`);
}

/** The error member for anything thrown: its message, never its stack. */
export function toWireError(thrown: unknown): JSONRPCErrorObject {
  if (isProtocolError(thrown)) {
    const { message, data } = thrown;
    const code = Number.isInteger(thrown.code) ? thrown.code : ErrorCode.InternalError;
    return data === undefined ? { code, message } : { code, message, data };
  }
  const message = thrown instanceof Error && thrown.message !== '' ? thrown.message : undefined;
  return { code: ErrorCode.InternalError, message: message ?? 'Internal error' };
}

/** All numbers that modern wires know of those that JSON-RPC reserves. */
const MODERN_CODES: ReadonlySet<number> = new Set([
  ...Object.values(ErrorCode),
  ProtocolErrorCode.HeaderMismatch,
  ProtocolErrorCode.MissingRequiredClientCapability,
  ProtocolErrorCode.UnsupportedProtocolVersion,
]);

/** JSON-RPC keeps these for itself and for protocols above it; applications take others. */
function isReserved(code: number): boolean {
  return code >= -32_768 && code <= -32_000;
}

/**
 * What a server answers when its handler lets through what another server answered: that one speaks of
 * the handler's request to it, in its headers, version and capabilities, and not of the request that is
 * served here. Other errors stay what they are.
 */
export function asOwnError(thrown: unknown): unknown {
  if (!isProtocolError(thrown) || thrown.received !== true || !isModernErrorCode(thrown.code)) return thrown;
  const message = `A server behind this one refused how it was asked: ${thrown.message}`;
  return new ProtocolError(ErrorCode.InternalError, message, thrown.data);
}

/**
 * Numbers of earlier revisions, and those that nothing defines, have no place on modern wires: a missing
 * resource is a bad parameter there, the rest internal errors with their own message and data.
 */
export function asModernError(thrown: unknown): unknown {
  if (!isProtocolError(thrown)) return thrown;
  if (thrown.code === ProtocolErrorCode.ResourceNotFound) {
    return new ProtocolError(ErrorCode.InvalidParams, thrown.message, thrown.data);
  }
  if (thrown.code === ProtocolErrorCode.UrlElicitationRequired) {
    const message = 'A page to open is asked for with inputRequired.elicitUrl in this revision.';
    return new ProtocolError(ErrorCode.InternalError, message);
  }
  if (isReserved(thrown.code) && !MODERN_CODES.has(thrown.code)) {
    return new ProtocolError(ErrorCode.InternalError, thrown.message, thrown.data);
  }
  return thrown;
}
