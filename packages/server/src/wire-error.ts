import { ErrorCode, type JSONRPCErrorObject, ProtocolError, isProtocolError } from '@portico/rpc';
import { ProtocolErrorCode, type WireError } from '@portico/spec';

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

/** Numbers of earlier revisions have no place on modern wires. */
export function asModernError(thrown: unknown): unknown {
  if (!isProtocolError(thrown)) return thrown;
  if (thrown.code === ProtocolErrorCode.ResourceNotFound) {
    return new ProtocolError(ErrorCode.InvalidParams, thrown.message, thrown.data);
  }
  if (thrown.code === ProtocolErrorCode.UrlElicitationRequired) {
    const message = 'A page to open is asked for with inputRequired.elicitUrl in this revision.';
    return new ProtocolError(ErrorCode.InternalError, message);
  }
  return thrown;
}
