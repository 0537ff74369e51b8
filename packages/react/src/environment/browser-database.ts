'use client';
import { createIndexedDbTokenStore } from '@portico/oauth';
import type { ClosableTokenStore } from '@portico/oauth';

/** The database of the page's origin, with what is kept in it. */
export interface BrowserDatabase {
  readonly factory: IDBFactory;
  readonly store: ClosableTokenStore;
}

/** Undefined where the browser withholds its database, or refuses every use of it. */
export async function findDatabase(): Promise<BrowserDatabase | undefined> {
  try {
    const factory = (globalThis as { readonly indexedDB?: IDBFactory }).indexedDB;
    if (factory === undefined) return undefined;
    const store = createIndexedDbTokenStore(factory);
    await store.get('');
    return { factory, store };
  } catch {
    return undefined;
  }
}
