import type { CacheScope } from '@portico/spec';

/** A value, or a promise of one. */
export type MaybePromise<T> = T | Promise<T>;

/** What names one kept answer. */
export interface CacheKey {
  readonly method: string;
  /** The params that matter: the URI of `resources/read`; the same as an empty text when it is missing. */
  readonly params?: string;
  /** Which server, and whose answers; the same as an empty text when it is missing. */
  readonly partition?: string;
}

/** One kept answer. */
export interface CacheEntry {
  /** The result as JSON. */
  readonly value: string;
  /** Counts the writes of a store. */
  readonly stamp: number;
  /** Epoch milliseconds from which it is stale. */
  readonly expiresAt?: number;
  readonly scope?: CacheScope;
}

/** What a store is given to keep. */
export interface CacheWrite {
  readonly value: string;
  readonly expiresAt?: number;
  readonly scope?: CacheScope;
}

/**
 * Keeps answers. Decides nothing: what is fresh, and for whom, is the client's matter. Every method may
 * be asynchronous and may fail; the client then reports it and goes on as if nothing were kept.
 */
export interface ResponseCacheStore {
  get(key: CacheKey): MaybePromise<CacheEntry | undefined>;
  /** Resolves with the stamp of the entry. */
  set(key: CacheKey, entry: CacheWrite): MaybePromise<number>;
  delete(key: CacheKey): MaybePromise<void>;
  /** Forgets the answers of a method, of all servers and users. The client never asks for it. */
  evict(method: string): MaybePromise<void>;
  clear(): MaybePromise<void>;
}

/** How much a store in memory keeps. */
export interface InMemoryResponseCacheStoreOptions {
  /** Resources that were read; 512 by default, 0 = no limit. Lists are not counted: there are few. */
  readonly maxEntries?: number;
}

const MAX_ENTRIES = 512;
const COUNTED = 'resources/read';

/** Keeps answers in memory; of the resources that were read the newest. */
export class InMemoryResponseCacheStore implements ResponseCacheStore {
  readonly #maxEntries: number;
  readonly #lists = new Map<string, readonly [method: string, entry: CacheEntry]>();
  readonly #read = new Map<string, CacheEntry>();
  #stamp = 0;

  constructor({ maxEntries = MAX_ENTRIES }: InMemoryResponseCacheStoreOptions = {}) {
    this.#maxEntries = maxEntries;
  }

  /** How many answers are kept. */
  get size(): number {
    return this.#lists.size + this.#read.size;
  }

  get(key: CacheKey): CacheEntry | undefined {
    const name = nameOf(key);
    return key.method === COUNTED ? this.#read.get(name) : this.#lists.get(name)?.[1];
  }

  set(key: CacheKey, entry: CacheWrite): number {
    const name = nameOf(key);
    const kept: CacheEntry = { ...entry, stamp: ++this.#stamp };
    if (key.method === COUNTED) this.#keepRead(name, kept);
    else this.#lists.set(name, [key.method, kept]);
    return kept.stamp;
  }

  delete(key: CacheKey): void {
    const name = nameOf(key);
    if (key.method === COUNTED) this.#read.delete(name);
    else this.#lists.delete(name);
  }

  evict(method: string): void {
    if (method === COUNTED) this.#read.clear();
    for (const [name, [kept]] of this.#lists) {
      if (kept === method) this.#lists.delete(name);
    }
  }

  clear(): void {
    this.#lists.clear();
    this.#read.clear();
  }

  #keepRead(name: string, entry: CacheEntry): void {
    this.#read.delete(name);
    this.#read.set(name, entry);
    if (this.#maxEntries === 0 || this.#read.size <= this.#maxEntries) return;
    for (const oldest of this.#read.keys()) {
      this.#read.delete(oldest);
      break;
    }
  }
}

function nameOf({ method, params = '', partition = '' }: CacheKey): string {
  return JSON.stringify([method, params, partition]);
}
