import type { Clock } from '@portico/rpc';
import type { CacheScope, CacheableResult } from '@portico/spec';
import type { CacheEntry, CacheKey, MaybePromise, ResponseCacheStore } from './response-cache-store.ts';
import { askStore } from './user-store.ts';

/** Longest time a server can have an answer kept, milliseconds: 24 hours. */
export const MAX_CACHE_TTL_MS = 86_400_000;

/**
 * `use`: a fresh answer is taken from the cache. `refresh`: the server is asked, and its answer kept.
 * `bypass`: the cache is neither read nor written.
 */
export type CacheMode = 'use' | 'refresh' | 'bypass';

/** What answers are kept with. */
export interface ResponseCacheSettings {
  readonly store: ResponseCacheStore;
  readonly clock: Clock;
  /** Whose private answers these are. */
  readonly principal: string;
  /** For answers that say nothing, milliseconds. */
  readonly defaultTtlMs: number;
  readonly report: (error: Error) => void;
}

/** An answer that is on its way: changes that are told meanwhile make it stale before it comes. */
export interface CacheTicket {
  readonly method: string;
  readonly params: string;
  readonly epoch: number;
  stale: boolean;
}

/** The answers of one server, as its hints say. */
export class ResponseCache {
  readonly #settings: ResponseCacheSettings;
  readonly #onItsWay = new Set<CacheTicket>();
  #server = '';
  #epoch = 0;

  constructor(settings: ResponseCacheSettings) {
    this.#settings = settings;
  }

  /** Answers are those of this server from now on. */
  use(server: string): void {
    this.#server = server;
    this.#epoch += 1;
  }

  /** A fresh answer, as a copy of the asker's own. */
  async read(method: string, params: string): Promise<unknown> {
    const own = await this.#fresh(this.#key(method, params, 'private'));
    if (own !== undefined || this.#settings.principal === '') return own;
    return this.#fresh(this.#key(method, params, 'public'));
  }

  /** Says that an answer is being fetched. */
  begin(method: string, params: string): CacheTicket {
    const ticket: CacheTicket = { method, params, epoch: this.#epoch, stale: false };
    this.#onItsWay.add(ticket);
    return ticket;
  }

  /** The answer will not come, or is not to be kept. */
  abandon(ticket: CacheTicket): void {
    this.#onItsWay.delete(ticket);
  }

  /** Keeps an answer as long as it says, unless it was overtaken by a change. */
  async write(ticket: CacheTicket, result: CacheableResult): Promise<void> {
    this.#onItsWay.delete(ticket);
    if (ticket.stale || ticket.epoch !== this.#epoch) return;
    const ttlMs = this.#ttlOf(result);
    const scope: CacheScope = result.cacheScope === 'public' ? 'public' : 'private';
    const { store, clock, principal } = this.#settings;
    const { method, params } = ticket;
    const key = this.#key(method, params, scope);
    if (ttlMs > 0) {
      const entry = { value: JSON.stringify(result), expiresAt: clock.now() + ttlMs, scope };
      await this.#guarded(() => store.set(key, entry));
    } else {
      await this.#guarded(() => store.delete(key));
    }
    // An answer that changed its scope must not leave its older self in the other place.
    if (principal === '') return;
    const other = this.#key(method, params, scope === 'public' ? 'private' : 'public');
    await this.#guarded(() => store.delete(other));
  }

  /** Drops the answers to a method, of one address or of all that have none. */
  async drop(method: string, params = ''): Promise<void> {
    for (const ticket of this.#onItsWay) {
      if (ticket.method === method && ticket.params === params) ticket.stale = true;
    }
    const { store, principal } = this.#settings;
    const scopes: readonly CacheScope[] = principal === '' ? ['private'] : ['private', 'public'];
    for (const scope of scopes) {
      await this.#guarded(() => store.delete(this.#key(method, params, scope)));
    }
  }

  /** Drops everything the store holds. */
  async clear(): Promise<void> {
    await this.#guarded(() => this.#settings.store.clear());
  }

  #key(method: string, params: string, scope: CacheScope): CacheKey {
    const whose = scope === 'public' ? '' : this.#settings.principal;
    return { method, params, partition: JSON.stringify([this.#server, whose]) };
  }

  async #fresh(key: CacheKey): Promise<unknown> {
    const entry = await this.#guarded<CacheEntry | undefined>(() => this.#settings.store.get(key));
    if (entry?.expiresAt === undefined || this.#settings.clock.now() >= entry.expiresAt) return undefined;
    // Where public answers lie, a private one of the same name would be somebody else's.
    const shared = key.partition === this.#key('', '', 'public').partition;
    if (shared && this.#settings.principal !== '' && entry.scope !== 'public') return undefined;
    return this.#guarded(() => JSON.parse(entry.value) as unknown);
  }

  #ttlOf({ ttlMs }: CacheableResult): number {
    if (ttlMs === undefined) return Math.min(this.#settings.defaultTtlMs, MAX_CACHE_TTL_MS);
    const given: unknown = ttlMs;
    return typeof given === 'number' && given > 0 ? Math.min(given, MAX_CACHE_TTL_MS) : 0;
  }

  #guarded<T>(work: () => MaybePromise<T>): Promise<T | undefined> {
    return askStore(this.#settings, work);
  }
}
