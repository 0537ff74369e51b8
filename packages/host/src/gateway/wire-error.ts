import { ConnectionsError } from '@portico/connections';
import { ErrorCode } from '@portico/rpc';
import { describeProblem } from './problems.ts';

/** An error of JSON-RPC, as it stands in an answer. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * What a failed call is answered with: what the connector's server itself answered goes through as it is;
 * everything else is described, with the code of what failed.
 *
 * @param hide puts the names of the connector's secrets in the place of their values
 */
export function wireError(error: unknown, hide: (text: string) => string = (text) => text): WireError {
  if (error instanceof ConnectionsError && error.code === 'server_error') {
    const { code, data } = error.data as { code: number; data?: unknown };
    return { code, message: error.message, ...(data === undefined ? {} : { data }) };
  }
  const { message, code: problem } = describeProblem(error);
  const code = error instanceof ConnectionsError ? error.code : problem;
  const number = code === 'not_supported' ? ErrorCode.MethodNotFound : ErrorCode.InternalError;
  return { code: number, message: hide(message), data: { code } };
}
