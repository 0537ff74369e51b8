'use client';
import type { TextStorage } from '@portico/connections/manager';
import { createLocalLocks } from '@portico/oauth';
import type { Locks } from '@portico/oauth';
import type { Clock } from '@portico/rpc';

/** A lease that nobody renews ends after so many milliseconds: its tab is gone. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** How long others may take to see what was written, milliseconds. */
const SETTLE_MS = 50;
const RETRY_MS = 100;
const KEY = 'portico lease ';

/** What leases are kept with. */
export interface LeaseOptions {
  readonly storage: TextStorage;
  readonly clock: Clock;
  random(): number;
  randomId(): string;
}

interface Lease {
  readonly owner: string;
  readonly untilMs: number;
}

/**
 * Locks among all tabs that share a storage, for browsers without Web Locks: who writes down that it is at
 * work, and still finds that written a moment later, is. Source: R73.
 */
export function createLeaseLocks(options: LeaseOptions): Locks {
  const { storage, clock } = options;
  // Of one tab only one asks at a time.
  const local = createLocalLocks();
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => void clock.setTimer(ms, () => resolve()));
  const write = (key: string, owner: string): void | Promise<void> =>
    storage.setItem(key, JSON.stringify({ owner, untilMs: clock.now() + LEASE_MS } satisfies Lease));

  const acquire = async (key: string, owner: string): Promise<void> => {
    for (;;) {
      const lease = readLease(await storage.getItem(key));
      if (lease === undefined || lease.untilMs <= clock.now()) {
        await write(key, owner);
        await wait(SETTLE_MS);
        if (readLease(await storage.getItem(key))?.owner === owner) return;
      }
      await wait(RETRY_MS * (1 + options.random()));
    }
  };
  const keep = (key: string, owner: string): (() => void) => {
    let timer = clock.setTimer(RENEW_MS, function renew() {
      // A lease that cannot be written any more runs out.
      void Promise.resolve(write(key, owner)).catch(() => undefined);
      timer = clock.setTimer(RENEW_MS, renew);
    });
    return () => timer.cancel();
  };

  return {
    run: (name, work) =>
      local.run(name, async () => {
        const [key, owner] = [KEY + name, options.randomId()];
        await acquire(key, owner);
        const stop = keep(key, owner);
        try {
          return await work();
        } finally {
          stop();
          if (readLease(await storage.getItem(key))?.owner === owner) await storage.removeItem(key);
        }
      }),
  };
}

function readLease(text: string | null): Lease | undefined {
  if (text === null) return undefined;
  try {
    const { owner, untilMs } = JSON.parse(text) as Partial<Lease>;
    return typeof owner === 'string' && typeof untilMs === 'number' ? { owner, untilMs } : undefined;
  } catch {
    return undefined;
  }
}
