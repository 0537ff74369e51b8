import type { Clock } from '@portico/rpc';
import { isLoopbackHost } from '@portico/oauth';
import type { AuthorizationHttp } from '@portico/oauth';
import type { AddressClass } from '../net/address-class.ts';
import { createGuardedFetch } from '../net/guarded-fetch.ts';
import type { GuardedFetch } from '../net/guarded-fetch.ts';

/** How the sign-ins of one account do their requests. */
export interface AccountHttp {
  readonly http: AuthorizationHttp;
  close(): Promise<void>;
}

/**
 * Requests of a sign-in go to the internet, and inside only where the person's own choice of server
 * leads: what a server names must not be a way into this machine or its network.
 *
 * @param serverUrl address of the MCP server, which the person typed
 */
export function openAccountHttp(serverUrl: string, clock: Clock): AccountHttp {
  const guarded = createGuardedFetch({ mayReach: (kind, target) => mayReach(serverUrl, kind, target) });
  return { http: httpOf(guarded, clock), close: () => guarded.close() };
}

function httpOf(guarded: GuardedFetch, clock: Clock): AuthorizationHttp {
  return { fetchFn: guarded.fetch, clock };
}

/** Servers on this machine may use others on it; any server may use the host it is on itself. */
function mayReach(serverUrl: string, kind: AddressClass, target: URL): boolean {
  const { hostname } = new URL(serverUrl);
  if (target.hostname === hostname) return true;
  return kind === 'loopback' && isLoopbackHost(hostname);
}
