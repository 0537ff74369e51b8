import type { LookupFunction } from 'node:net';
import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import { Pool } from 'undici';
import type { HttpAnswer, HttpClient, HttpRequest } from '../http/http-client.ts';
import { SdkError } from '../errors.ts';
import { PooledExchange } from './pooled-exchange.ts';

export type { HttpAnswer, HttpClient, HttpRequest, TakeChunk } from '../http/http-client.ts';

/**
 * Decides where the connections of a pool may go. Both are asked once an origin, so that it costs nothing
 * while connections are kept: calls go to addresses that were looked at.
 */
export interface HttpPoolGuard {
  /** Throws to refuse an origin. Addresses that stand in the URL itself are never looked up. */
  check(url: URL): void;
  /** Resolves the origin's name in place of the system: each connection goes to exactly what it answers. */
  lookup(url: URL): LookupFunction;
}

/** How a pool behaves. */
export interface HttpPoolOptions {
  /** Connections to one origin, and with it the calls that can be open at once; 64 by default. */
  readonly connections?: number;
  readonly clock?: Clock;
  /** Default: connections go wherever they are sent. */
  readonly guard?: HttpPoolGuard;
}

const CONNECTIONS = 64;
/** Connections beside those for what must not wait behind open calls; it is short, so few are enough. */
const URGENT_CONNECTIONS = 4;
/** Origins that one pool may talk to; a transport talks to one. */
const MAX_ORIGINS = 8;
/** Some servers refuse whoever does not say who it is. */
const USER_AGENT = 'portico';

/**
 * The client's only clock is that of its calls: undici's own limits on waiting for a connection, for
 * headers and for the next piece of a body are off.
 */
export const POOL_TIME_LIMITS: { headersTimeout: 0; bodyTimeout: 0; connect: { timeout: 0 } } = {
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { timeout: 0 },
};

/** Names and values in turn: the form that undici takes with the least work. */
function headersOf({ headers }: HttpRequest): string[] {
  const sent: string[] = ['accept-encoding', 'identity'];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && name !== 'accept-encoding') sent.push(name, value);
  }
  if (headers['user-agent'] === undefined) sent.push('user-agent', USER_AGENT);
  return sent;
}

/** Where requests to one address go. */
interface Route {
  readonly href: string;
  readonly urgent: boolean;
  readonly pool: Pool;
  readonly path: string;
}

class HttpPool implements HttpClient {
  readonly #pools = new Map<string, Pool>();
  readonly #connections: number;
  readonly #clock: Clock;
  readonly #guard: HttpPoolGuard | undefined;
  /** The last one: a transport asks for the same place again and again, and reading a URL has its price. */
  #route: Route | undefined;
  #closed = false;

  constructor(options: HttpPoolOptions) {
    this.#connections = options.connections ?? CONNECTIONS;
    this.#clock = options.clock ?? systemClock;
    this.#guard = options.guard;
  }

  send(request: HttpRequest): Promise<HttpAnswer> {
    const { method, body = null, scope } = request;
    return new Promise((resolve, reject) => {
      const { pool, path } = this.#routeTo(request);
      const exchange = new PooledExchange({ resolve, reject, clock: this.#clock });
      scope.during(() => exchange.abort());
      if (scope.aborted) return;
      pool.dispatch({ path, method, headers: headersOf(request), body }, exchange);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#route = undefined;
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  /** @throws as `#poolFor` */
  #routeTo({ url, urgent = false }: HttpRequest): Route {
    const { href } = url;
    const last = this.#route;
    if (last?.href === href && last.urgent === urgent) return last;
    const route = { href, urgent, pool: this.#poolFor(url, urgent), path: url.pathname + url.search };
    this.#route = route;
    return route;
  }

  /** @throws SdkError `NOT_CONNECTED` after the end, `SEND_FAILED` for an address that is none; as the guard */
  #poolFor(url: URL, urgent: boolean): Pool {
    if (this.#closed) throw new SdkError('NOT_CONNECTED');
    if (url.username !== '' || url.password !== '') {
      throw new SdkError('SEND_FAILED', {
        message: 'an address must not hold a password: send it as a header',
      });
    }
    const key = urgent ? `urgent ${url.origin}` : url.origin;
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    if (this.#pools.size >= 2 * MAX_ORIGINS) {
      throw new SdkError('SEND_FAILED', { message: 'one pool talks to a few origins only' });
    }
    const connections = urgent ? URGENT_CONNECTIONS : this.#connections;
    const pool = new Pool(url.origin, {
      ...POOL_TIME_LIMITS,
      ...this.#guarded(url),
      connections,
      pipelining: 1,
      allowH2: false,
    });
    this.#pools.set(key, pool);
    return pool;
  }

  /** @throws what the guard refuses an origin with */
  #guarded(url: URL): Pick<Pool.Options, 'connect'> {
    if (this.#guard === undefined) return {};
    this.#guard.check(url);
    return {
      connect: { ...POOL_TIME_LIMITS.connect, lookup: this.#guard.lookup(url), autoSelectFamily: true },
    };
  }
}

/**
 * A pool of HTTP/1.1 connections that are kept alive, for a transport in Node. It costs a call a tenth of
 * what the global `fetch` costs and ends none that is silent for minutes, as that does. Idle connections
 * do not keep the process alive.
 *
 * @example new StreamableHTTPClientTransport(url, { http: createHttpPool() })
 */
export function createHttpPool(options: HttpPoolOptions = {}): HttpClient {
  return new HttpPool(options);
}
