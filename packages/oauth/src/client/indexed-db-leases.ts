import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import { openTable } from './indexed-db.ts';
import { isFree } from './lease-locks.ts';
import type { KeptLease, LeaseStore } from './lease-locks.ts';

/** What {@link createIndexedDbLeases} is made of. */
export interface IndexedDbLeaseOptions {
  /** Give it `indexedDB`. */
  readonly factory: IDBFactory;
  /** Default: the system's time. */
  readonly clock?: Clock;
}

/**
 * Leases among the tabs of an origin, for browsers without Web Locks: a database reads and writes in one
 * step, as local storage cannot.
 *
 * Its methods reject with what the database fails with, as where storage is blocked.
 */
export function createIndexedDbLeases({ factory, clock = systemClock }: IndexedDbLeaseOptions): LeaseStore {
  const table = openTable(factory, 'leases');
  return {
    async take(lease) {
      const taken = await table.inOneStep<boolean>('readwrite', (leases, done) => {
        const reading: IDBRequest<KeptLease | undefined> = leases.get(lease.name);
        reading.onsuccess = () => {
          const nowMs = clock.now();
          if (!isFree(reading.result, lease, nowMs)) return;
          leases.put({ owner: lease.owner, endsAtMs: nowMs + lease.forMs }, lease.name);
          done(true);
        };
      });
      return taken === true;
    },
    async release(name, owner) {
      await table.inOneStep('readwrite', (leases) => {
        const reading: IDBRequest<KeptLease | undefined> = leases.get(name);
        reading.onsuccess = () => {
          if (reading.result?.owner === owner) leases.delete(name);
        };
      });
    },
  };
}
