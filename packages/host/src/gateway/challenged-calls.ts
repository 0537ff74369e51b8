import { failureOf } from '@portico/client';
import { ConnectionsError } from '@portico/connections';
import type { Connections } from '@portico/connections';
import type { SignInService } from '../sign-in/sign-in-service.ts';
import type { ConnectorRegistry } from './connector-registry.ts';

export interface ChallengedCallOptions {
  readonly connections: Pick<Connections, 'callTool'>;
  readonly registry: Pick<ConnectorRegistry, 'find'>;
  readonly signIns: Pick<SignInService, 'toolAnswered'>;
}

/**
 * Calls of tools in which a result that asks for a sign-in is what a refused request is (K48): they fail
 * with ConnectionsError `needs_sign_in`, or `http_error` where no further sign-in helps.
 */
export function createChallengedCalls(options: ChallengedCallOptions): Pick<Connections, 'callTool'> {
  const { connections, registry, signIns } = options;
  return {
    async callTool(id, call, limits) {
      const result = await connections.callTool(id, call, limits);
      const record = registry.find(id);
      const cause = record === undefined ? undefined : signIns.toolAnswered(record, result);
      if (cause === undefined) return result;
      const helps = failureOf(cause).partial === true;
      throw new ConnectionsError(helps ? 'needs_sign_in' : 'http_error', { id }, { cause });
    },
  };
}
