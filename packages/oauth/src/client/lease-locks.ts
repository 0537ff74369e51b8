import { systemClock } from '@portico/rpc';
import type { Clock, Timer } from '@portico/rpc';
import { generateRandomState } from 'oauth4webapi';
import { createLocalLocks } from './locks.ts';
import type { Locks } from './locks.ts';

/** How long a lease is taken for unless said otherwise, milliseconds: a renewal has to fit in. */
const LEASE_MS = 30_000;
/** The first wait of who finds a lease taken, milliseconds; each one after it is longer. */
const FIRST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 500;
/** How often a lease is gone on with while it is taken for. */
const RENEWALS_A_LEASE = 3;

/** One who holds something for a time. */
export interface Lease {
  readonly name: string;
  /** Told to nobody else. */
  readonly owner: string;
  /** From now on, milliseconds. */
  readonly forMs: number;
}

/**
 * Where those who share a store keep who of them may do something: as the store they share, so that it
 * outlives each of them.
 */
export interface LeaseStore {
  /**
   * Takes a lease that is free, that has ended or that the owner has, in one step that nobody comes in
   * between. One that would end later than anybody takes it for, by a clock that was set back, has ended.
   *
   * @returns whether the owner has it now. Rejects when that cannot be known.
   */
  take(lease: Lease): Promise<boolean>;
  /** Ends the lease of this owner; another's stays. */
  release(name: string, owner: string): Promise<void>;
}

/** What {@link createLeaseLocks} is made of. */
export interface LeaseLockOptions {
  readonly leases: LeaseStore;
  /** Default: the system's time. */
  readonly clock?: Clock;
  /** How long others wait for one that came to a sudden end, milliseconds; 30,000 by default. */
  readonly leaseMs?: number;
}

/**
 * Locks among all who share a store, be they tabs or processes. A lease is gone on with for as long as the
 * work takes, and ends by itself when its holder does. Source: W221.
 *
 * `run` rejects with what `take` rejects with; then the work was not begun.
 */
export function createLeaseLocks(options: LeaseLockOptions): Locks {
  const { leases, clock = systemClock, leaseMs = LEASE_MS } = options;
  // Those of one process wait for each other here, and only the first of them in the store.
  const local = createLocalLocks();
  const held = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const lease: Lease = { name, owner: generateRandomState(), forMs: leaseMs };
    await untilTaken(leases, lease, clock);
    const stop = goOnWith(leases, lease, clock);
    try {
      return await work();
    } finally {
      // Before it is released, so that it is not taken again behind that.
      await stop();
      // What cannot be ended ends by itself; the work is done all the same.
      await leases.release(name, lease.owner).catch(() => undefined);
    }
  };
  return { run: (name, work) => local.run(name, () => held(name, work)) };
}

async function untilTaken(leases: LeaseStore, lease: Lease, clock: Clock): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!(await leases.take(lease))) {
    const delayMs = waitMs;
    await new Promise<void>((resolve) => {
      clock.setTimer(delayMs, resolve);
    });
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
  }
}

/** @returns how to stop; it resolves when nothing of it is under way any more */
function goOnWith(leases: LeaseStore, lease: Lease, clock: Clock): () => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  const arm = (): Timer => {
    const timer = clock.setTimer(lease.forMs / RENEWALS_A_LEASE, () => {
      // One that cannot be gone on with lasts for what is left of it.
      last = leases.take(lease).catch(() => undefined);
      next = arm();
    });
    timer.unref?.();
    return timer;
  };
  let next = arm();
  return () => {
    next.cancel();
    return last;
  };
}

/** A lease as stores keep it. */
export interface KeptLease {
  readonly owner: string;
  /** When it ends, epoch milliseconds. */
  readonly endsAtMs: number;
}

/** The rule of {@link LeaseStore.take}, for stores that read before they write. */
export function isFree(kept: KeptLease | undefined, { owner, forMs }: Lease, nowMs: number): boolean {
  if (kept === undefined || kept.owner === owner) return true;
  return kept.endsAtMs <= nowMs || kept.endsAtMs > nowMs + forMs;
}
