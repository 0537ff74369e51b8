import type { TokenStore } from '@portico/oauth';
import type { SealedGrants } from './sealed-grants.ts';

/** What is kept in confidence for one account, as the sign-in wants it. */
export function accountTokenStore(grants: SealedGrants, connectorId: string): TokenStore {
  return {
    get: (name) => grants.get(connectorId, name),
    set: (name, value) => grants.put(connectorId, name, value),
    delete: (name) => grants.remove(connectorId, name),
    names: () => grants.names(connectorId),
  };
}
