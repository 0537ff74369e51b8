import { ConnectionsError } from '@portico/connections';
import { ProtocolError, isProtocolError } from '@portico/rpc';
import { wireError } from '../gateway/wire-error.ts';

/**
 * What a request is answered whose connector failed. What the server answered itself is told by its own
 * error, which says that it came from there.
 */
export function answerFor(error: unknown, hide: (text: string) => string): ProtocolError {
  const cause = error instanceof ConnectionsError && error.code === 'server_error' ? error.cause : undefined;
  if (isProtocolError(cause)) return cause;
  const { code, message, data } = wireError(error, hide);
  return new ProtocolError(code, message, data);
}
