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
  const { message, code } = describeProblem(error);
  return { code: numberOf(error), message: hide(message), data: { code } };
}

function numberOf(error: unknown): number {
  const isMissing = error instanceof ConnectionsError && error.code === 'not_supported';
  return isMissing ? ErrorCode.MethodNotFound : ErrorCode.InternalError;
}
