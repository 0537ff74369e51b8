'use client';
import type { TextStorage } from '@portico/connections/manager';
import { createMemoryStorage } from './memory-storage.ts';

/**
 * The page's `localStorage`, which is touched at first use; where the browser withholds it, what is kept
 * lasts as long as the page.
 */
export function createLocalStorage(): TextStorage {
  let opened: TextStorage | undefined;
  const open = (): TextStorage => {
    const storage = localStorageOf(globalThis);
    return storage === undefined ? createMemoryStorage() : textStorageOf(storage);
  };
  const storage = (): TextStorage => (opened ??= open());
  return {
    getItem: (key) => storage().getItem(key),
    setItem: (key, value) => storage().setItem(key, value),
    removeItem: (key) => storage().removeItem(key),
    keys: () => storage().keys(),
  };
}

/** Undefined where the browser has none, or withholds it. */
export function localStorageOf(scope: { readonly localStorage?: Storage }): Storage | undefined {
  try {
    const storage = scope.localStorage;
    // Some browsers hand it out and refuse every use of it.
    void storage?.length;
    return storage;
  } catch {
    return undefined;
  }
}

function textStorageOf(storage: Storage): TextStorage {
  return {
    getItem: (key) => storage.getItem(key),
    setItem: (key, value) => storage.setItem(key, value),
    removeItem: (key) => storage.removeItem(key),
    keys: () => Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? ''),
  };
}
