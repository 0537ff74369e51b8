'use client';
import { TextStorageProvider } from '@portico/connections/manager';
import { createLocalStorage } from '../environment/local-storage.ts';

/** Keeps servers in the page's `localStorage`, which is touched when they are read or changed. */
export class LocalStorageProvider extends TextStorageProvider {
  /** @param key what the keys begin with; `mcp-client-servers` by default */
  constructor(key?: string) {
    super(createLocalStorage(), key);
  }
}
