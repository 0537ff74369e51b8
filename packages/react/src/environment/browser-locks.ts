'use client';
import { createLocalLocks, createTabLocks, createWebLocks } from '@portico/oauth';
import type { Locks } from '@portico/oauth';
import { findDatabase } from './browser-database.ts';
import { webLocks } from './web-locks.ts';

/**
 * Locks among all tabs: Web Locks, or leases in the database. Where a browser has neither, tabs share
 * nothing that had to be kept apart. Source: R73.
 */
export function createBrowserLocks(): Locks {
  const manager = webLocks();
  if (manager !== undefined) return createWebLocks(manager);
  let found: Promise<Locks> | undefined;
  return {
    async run(name, work) {
      found ??= find();
      return await (await found).run(name, work);
    },
  };
}

async function find(): Promise<Locks> {
  const database = await findDatabase();
  if (database === undefined) return createLocalLocks();
  return createTabLocks({ manager: undefined, factory: database.factory });
}
