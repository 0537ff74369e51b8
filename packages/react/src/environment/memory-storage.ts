'use client';
import type { TextStorage } from '@portico/connections/manager';

/** Keeps texts as long as the page lasts. */
export function createMemoryStorage(): TextStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  };
}
