import type { Clock } from '@portico/rpc';
import { createIndexedDbLeases } from './indexed-db-leases.ts';
import { createLeaseLocks } from './lease-locks.ts';
import { createWebLocks } from './locks.ts';
import type { LockManagerLike, Locks } from './locks.ts';

/** What a page has to keep its tabs apart. */
export interface TabLockOptions {
  /** Give it `navigator.locks`; undefined where there is no such thing, as on pages without https. */
  readonly manager: LockManagerLike | undefined;
  /** Give it `indexedDB`: it takes the place of Web Locks. */
  readonly factory: IDBFactory;
  /** Default: the system's time. */
  readonly clock?: Clock;
}

/** Locks among all tabs of an origin: Web Locks, or leases in the origin's database where they are missing. */
export function createTabLocks({ manager, factory, clock }: TabLockOptions): Locks {
  if (manager !== undefined) return createWebLocks(manager);
  const time = clock === undefined ? {} : { clock };
  return createLeaseLocks({ leases: createIndexedDbLeases({ factory, ...time }), ...time });
}
