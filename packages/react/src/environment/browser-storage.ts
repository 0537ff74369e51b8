'use client';
import type { TextStorage } from '@portico/connections/manager';
import type { ClosableTokenStore } from '@portico/oauth';
import { findDatabase } from './browser-database.ts';
import { createMemoryStorage } from './memory-storage.ts';

/** A storage that holds something of the browser from its first use on. */
interface ClosableStorage extends TextStorage {
  /** Gives that back; whoever uses the storage again takes it again. */
  close(): void;
}

/**
 * Where sign-ins are kept: the database of the page's origin, since what one tab writes there all others
 * read from then on. `localStorage` tells tabs of other processes late, and whoever renews by a token
 * that another tab has used up loses the grant. Where there is no database, what is kept lasts as long as
 * the page. Source: R73.
 */
export function createBrowserStorage(): ClosableStorage {
  let found: Promise<ClosableStorage> | undefined;
  const storage = (): Promise<ClosableStorage> => (found ??= find());
  return {
    getItem: async (key) => (await storage()).getItem(key),
    setItem: async (key, value) => (await storage()).setItem(key, value),
    removeItem: async (key) => (await storage()).removeItem(key),
    keys: async () => (await storage()).keys(),
    close: () => void found?.then((open) => open.close()),
  };
}

async function find(): Promise<ClosableStorage> {
  const database = await findDatabase();
  if (database === undefined) return { ...createMemoryStorage(), close: () => undefined };
  return textStorageOf(database.store);
}

function textStorageOf(store: ClosableTokenStore): ClosableStorage {
  return {
    async getItem(key) {
      const value = await store.get(key);
      return typeof value === 'string' ? value : null;
    },
    setItem: (key, value) => store.set(key, value),
    removeItem: (key) => store.delete(key),
    keys: () => store.names(),
    close: () => store.close(),
  };
}
