import type { LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { FetchLike } from '@portico/spec';
import { Agent, fetch as undiciFetch } from 'undici';
import { HostError } from '../errors.ts';
import type { AddressClass } from './address-class.ts';
import { createAddressClassifier } from './address-class.ts';

/** Redirects that are followed for one request. */
const MAX_HOPS = 5;
/** Time for a connection to come about, milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Origins whose connections are kept. */
const MAX_ORIGINS = 64;

/** All addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly { address: string; family: number }[]>;

export interface GuardedFetchOptions {
  /**
   * Whether a place that is not the public internet may be talked to. Metadata services of clouds
   * never may, whatever this says.
   */
  mayReach(kind: AddressClass, target: URL): boolean;
  /** The system's resolver unless given. */
  readonly resolve?: ResolveName;
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
  const classify = createAddressClassifier();
  const resolve = options.resolve ?? ((name) => systemLookup(name, { all: true }));
  const check = (address: string, target: URL): void => {
    const kind = classify(address);
    if (kind === 'public') return;
    if (kind !== 'metadata' && options.mayReach(kind, target)) return;
    throw refuse(target, `a ${kind} address`);
  };
  const agents = new Map<string, Agent>();
  const agentFor = (target: URL): Agent => {
    const existing = agents.get(target.origin);
    if (existing !== undefined) return existing;
    const agent = new Agent({
      connect: {
        lookup: pinnedLookup(resolve, (address) => check(address, target)),
        timeout: CONNECT_TIMEOUT_MS,
        autoSelectFamily: true,
      },
      connections: 4,
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
    checkScheme(target);
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    // Connections to literal addresses ask no resolver.
    if (isIP(literal) !== 0) check(literal, target);
    // The types of undici and of the platform describe the same objects.
    const settings = { ...init, redirect: 'manual', dispatcher: agentFor(target) };
    try {
      return (await undiciFetch(target, settings as never)) as unknown as Response;
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
    if (hop === MAX_HOPS) throw refuse(url, 'too many redirects');
    if (!URL.canParse(location, url.href)) throw refuse(url, 'a redirect to nowhere');
    const next = new URL(location, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:') {
      throw refuse(next, 'a redirect that gives up https');
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

/**
 * Resolves, checks every address and hands on exactly those. Connections that choose among address
 * families, as ours are told to, take the whole list.
 */
function pinnedLookup(resolve: ResolveName, check: (address: string) => void): LookupFunction {
  return callbackify(async (name: string, _options: LookupOptions) => {
    const found = await resolve(name);
    for (const { address } of found) check(address);
    if (found.length === 0) throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
    return found.map(({ address, family }) => ({ address, family }));
  });
}

function checkScheme(target: URL): void {
  if (target.protocol !== 'https:' && target.protocol !== 'http:') {
    throw refuse(target, `the scheme ${target.protocol}`);
  }
  if (target.username !== '' || target.password !== '') throw refuse(target, 'a password in the address');
}

function refuse(target: URL, reason: string): HostError {
  const { host } = target;
  return new HostError('address_refused', {
    message: `${host} is refused: ${reason}`,
    data: { host, reason },
  });
}

/** The refusal that a lookup gave, somewhere below what fetch makes of it. */
function refusalIn(error: unknown): HostError | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof HostError) return at;
  }
  return undefined;
}
