import type { JSONRPCMessage } from '@portico/rpc';
import { PROTOCOL_VERSION_HEADER, SESSION_ID_HEADER } from '@portico/spec';

/** Both kinds of answers; what the caller accepts beside them comes after. */
const ACCEPTED = 'application/json, text/event-stream';
const SESSION = SESSION_ID_HEADER.toLowerCase();
const VERSION = PROTOCOL_VERSION_HEADER.toLowerCase();

/**
 * What one message may not say: who the caller is and which session it belongs to was settled with the
 * transport, and how the body is written is not for the caller to decide.
 */
const RESERVED: ReadonlySet<string> = new Set([
  'authorization',
  'content-type',
  'content-length',
  'host',
  'last-event-id',
  SESSION,
]);

/** What the transport knows when it writes a request. */
export interface HeaderState {
  readonly sessionId: string | undefined;
  readonly protocolVersion: string | undefined;
}

/** The caller's headers, in whichever form, and the transport's over them; names in lower case. */
export function baseHeaders(own: RequestInit['headers'], state: HeaderState): Record<string, string> {
  const headers: Record<string, string> = own === undefined ? {} : Object.fromEntries(new Headers(own));
  if (state.sessionId !== undefined) headers[SESSION] = state.sessionId;
  if (state.protocolVersion !== undefined) headers[VERSION] = state.protocolVersion;
  return headers;
}

/** Makes of the base headers, which it changes, those of one message. */
export function postHeaders(
  headers: Record<string, string>,
  message: JSONRPCMessage,
  extra: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  for (const name in extra) {
    const lower = name.toLowerCase();
    if (!RESERVED.has(lower)) headers[lower] = extra[name] ?? '';
  }
  const { accept } = headers;
  headers['accept'] = accept === undefined ? ACCEPTED : `${ACCEPTED}, ${accept}`;
  headers['content-type'] = 'application/json';
  if ('method' in message && message.method === 'initialize') {
    // A handshake starts a session and settles the version; it can carry neither.
    delete headers[SESSION];
    delete headers[VERSION];
  }
  return headers;
}
