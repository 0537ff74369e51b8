import type { Clock } from '@portico/rpc';
import type { AuthorizationHttp } from '@portico/oauth';
import type { FetchLike } from '@portico/spec';
import type { ResolveName } from '../net/address-guard.ts';
import { createGuardedFetch } from '../net/guarded-fetch.ts';
import type { GuardedFetch } from '../net/guarded-fetch.ts';
import { reachOf } from '../net/reach.ts';

/** Requests that go nowhere but through the guard. */
export interface GuardedHttp extends AuthorizationHttp {
  readonly fetchFn: FetchLike;
  readonly clock: Clock;
}

/** How the sign-ins of one account do their requests. */
export interface AccountHttp {
  readonly http: GuardedHttp;
  close(): Promise<void>;
}

/**
 * Requests of a sign-in go to the internet, and inside only where the person's own choice of server
 * leads: what a server names must not be a way into this machine or its network.
 *
 * @param serverUrl address of the MCP server, which the person typed
 * @param resolve the system's resolver unless given
 */
export function openAccountHttp(serverUrl: string, clock: Clock, resolve?: ResolveName): AccountHttp {
  const guarded = createGuardedFetch({
    mayReach: reachOf(serverUrl),
    ...(resolve === undefined ? {} : { resolve }),
  });
  return { http: httpOf(guarded, clock), close: () => guarded.close() };
}

function httpOf(guarded: GuardedFetch, clock: Clock): GuardedHttp {
  return { fetchFn: guarded.fetch, clock };
}
