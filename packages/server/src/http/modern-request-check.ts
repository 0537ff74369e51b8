import type { JSONRPCRequest } from '@portico/rpc';
import {
  PROTOCOL_VERSION_HEADER,
  type WireError,
  headerMismatchError,
  readProtocolVersion,
} from '@portico/spec';
import { type ModernRequest, readModernRequest } from '../era.ts';

const VERSION_HEADER = PROTOCOL_VERSION_HEADER.toLowerCase();

export type CheckedModernRequest =
  | { readonly ok: true; readonly request: ModernRequest }
  | { readonly ok: false; readonly error: WireError };

/**
 * Checks envelope and standard headers of a modern request, before anything is known of the server.
 * Faults are told in this order: envelope form and two different versions, version, other headers.
 *
 * @param header reads a header by its lower-case name
 * @throws ProtocolError -32602 for the envelope, -32022 for a version that is not served
 */
export function checkModernRequest(
  message: JSONRPCRequest,
  header: (name: string) => string | undefined,
  supportedVersions: readonly string[],
): CheckedModernRequest {
  const stated = header(VERSION_HEADER);
  const version = readProtocolVersion(message.params);
  if (stated !== undefined && version !== undefined && stated !== version) {
    const text = `the ${PROTOCOL_VERSION_HEADER} header does not match the body`;
    return { ok: false, error: headerMismatchError(text) };
  }
  const request = readModernRequest(message.params, supportedVersions);
  const error = request.caller.codec.checkHeaders((name) => header(name.toLowerCase()), message);
  return error === undefined ? { ok: true, request } : { ok: false, error };
}
