'use client';
import { createIndexedDbTokenStore } from '@portico/oauth';

/** The database of the page's origin; undefined where the browser withholds it, or refuses every use of it. */
export async function findDatabase(): Promise<IDBFactory | undefined> {
  try {
    const factory = (globalThis as { readonly indexedDB?: IDBFactory }).indexedDB;
    if (factory !== undefined) await createIndexedDbTokenStore(factory).get('');
    return factory;
  } catch {
    return undefined;
  }
}
