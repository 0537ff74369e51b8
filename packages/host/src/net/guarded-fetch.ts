import type { FetchLike } from '@portico/spec';
import { Agent, fetch as undiciFetch } from 'undici';
import type { Response as UndiciResponse } from 'undici';
import { HostError } from '../errors.ts';
import { addressRefused, createAddressGuard } from './address-guard.ts';
import type { AddressGuardOptions } from './address-guard.ts';

/** Redirects that are followed for one request. */
const MAX_HOPS = 5;
/** Time for a connection to come about, milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Connections to one origin unless said otherwise. */
const CONNECTIONS = 4;
/** Origins whose connections are kept. */
const MAX_ORIGINS = 64;

export interface GuardedFetchOptions extends AddressGuardOptions {
  /** Connections to one origin, and with it the requests that can be open at once; 4 by default. */
  readonly connections?: number;
}

/** A fetch that talks only to places it may reach. */
export interface GuardedFetch {
  readonly fetch: FetchLike;
  /** Ends idle connections. */
  close(): Promise<void>;
}

/**
 * Makes a fetch for addresses that somebody else wrote down. Each name is resolved once a connection,
 * every address of it is looked at, and the connection goes to those very addresses, so that a name
 * which changes its mind in between gains nothing. Redirects of GET and HEAD are followed hop by hop,
 * each looked at anew; credentials stay with the origin they were for. Others are returned as they are.
 *
 * The promise of a fetch rejects with HostError `address_refused`; data has the host and the reason.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const guard = createAddressGuard(options);
  const agents = new Map<string, Agent>();
  const agentFor = (target: URL): Agent => {
    const existing = agents.get(target.origin);
    if (existing !== undefined) return existing;
    const agent = new Agent({
      connect: {
        lookup: guard.lookup(target),
        timeout: CONNECT_TIMEOUT_MS,
        autoSelectFamily: true,
      },
      connections: options.connections ?? CONNECTIONS,
    });
    agents.set(target.origin, agent);
    const [oldest] = agents;
    if (agents.size > MAX_ORIGINS && oldest !== undefined) {
      agents.delete(oldest[0]);
      // What it still carries ends in its own time.
      oldest[1].close().catch(() => undefined);
    }
    return agent;
  };
  const once: FetchLike = async (url, init) => {
    const target = new URL(url);
    guard.check(target);
    // Settings are the same for both; only the types come from different places.
    const settings = { ...init, redirect: 'manual', dispatcher: agentFor(target) };
    try {
      return ofPlatform(await undiciFetch(target, settings as never));
    } catch (error) {
      throw refusalIn(error) ?? error;
    }
  };
  return {
    fetch: (url, init) => follow(once, new URL(url), init),
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
      agents.clear();
    },
  };
}

/** The same answer as the platform's own kind, which callers tell from others. */
function ofPlatform({ body, status, statusText, headers }: UndiciResponse): Response {
  const init = { status, statusText, headers: [...headers] };
  return new Response(body as ReadableStream | null, init);
}

/** Follows redirects of requests that change nothing. */
async function follow(once: FetchLike, start: URL, init: RequestInit | undefined): Promise<Response> {
  const method = (init?.method ?? 'GET').toUpperCase();
  const follows = init?.redirect !== 'manual' && (method === 'GET' || method === 'HEAD');
  let url = start;
  let settings = init;
  for (let hop = 0; ; hop += 1) {
    const response = await once(url, settings);
    const location = response.headers.get('location');
    const moved = [301, 302, 303, 307, 308].includes(response.status) && location !== null;
    if (!moved || !follows) return response;
    await response.body?.cancel();
    if (hop === MAX_HOPS) throw addressRefused(url, 'too many redirects');
    if (!URL.canParse(location, url.href)) throw addressRefused(url, 'a redirect to nowhere');
    const next = new URL(location, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:') {
      throw addressRefused(next, 'a redirect that gives up https');
    }
    if (next.origin !== url.origin) settings = withoutCredentials(settings);
    url = next;
  }
}

function withoutCredentials(init: RequestInit | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  for (const name of ['authorization', 'cookie', 'dpop', 'proxy-authorization']) headers.delete(name);
  return { ...init, headers };
}

/** The refusal that a lookup gave, somewhere below what fetch makes of it. */
function refusalIn(error: unknown): HostError | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof HostError) return at;
  }
  return undefined;
}
