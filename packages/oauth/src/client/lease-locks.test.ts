import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../../testing/manual-clock.ts';
import { createLeaseLocks, isFree } from './lease-locks.ts';
import type { KeptLease, LeaseStore } from './lease-locks.ts';

/** Leases as a database keeps them; each call comes back later. */
function memoryLeases(clock: ManualClock): LeaseStore & { readonly kept: Map<string, KeptLease> } {
  const kept = new Map<string, KeptLease>();
  return {
    kept,
    async take(lease) {
      await Promise.resolve();
      if (!isFree(kept.get(lease.name), lease, clock.now())) return false;
      kept.set(lease.name, { owner: lease.owner, endsAtMs: clock.now() + lease.forMs });
      return true;
    },
    async release(name, owner) {
      await Promise.resolve();
      if (kept.get(name)?.owner === owner) kept.delete(name);
    },
  };
}

const never = (): Promise<never> => new Promise(() => undefined);

describe('locks by leases', () => {
  it('W221 field-D22 let one at a time work, among those who share nothing but the store', async () => {
    const clock = createManualClock();
    const leases = memoryLeases(clock);
    const working = { now: 0, most: 0, done: 0 };
    const work = async (): Promise<void> => {
      working.most = Math.max(working.most, ++working.now);
      for (let step = 0; step < 5; step++) await Promise.resolve();
      working.now--;
      working.done++;
    };
    const users = [1, 2, 3].map(() => createLeaseLocks({ leases, clock }));
    const all = Promise.all([...users, ...users].map((locks) => locks.run('refresh', work)));
    await clock.advance(10_000);
    await all;
    expect(working).toEqual({ now: 0, most: 1, done: 6 });
    expect([leases.kept.size, clock.armed]).toEqual([0, 0]);
  });

  it('W221 pass on what the work gives or throws, and end all the same', async () => {
    const clock = createManualClock();
    const leases = memoryLeases(clock);
    const locks = createLeaseLocks({ leases, clock });
    expect(await locks.run('a', () => Promise.resolve('given'))).toBe('given');
    await expect(locks.run('a', () => Promise.reject(new RangeError('broken')))).rejects.toThrow('broken');
    expect(leases.kept.size).toBe(0);
    const stuck = { ...leases, release: () => Promise.reject(new TypeError('no store')) };
    expect(await createLeaseLocks({ leases: stuck, clock }).run('a', () => Promise.resolve(1))).toBe(1);
  });

  it('W221 last for as long as the work does, and no longer than a lease when their holder is gone', async () => {
    const clock = createManualClock();
    const leases = memoryLeases(clock);
    let finish = (): void => undefined;
    const slow = createLeaseLocks({ leases, clock, leaseMs: 3_000 }).run(
      'a',
      () => new Promise<void>((resolve) => (finish = resolve)),
    );
    let isIn = false;
    const next = createLeaseLocks({ leases, clock, leaseMs: 3_000 }).run('a', async () => {
      isIn = true;
    });
    await clock.advance(60_000);
    expect(isIn).toBe(false);
    finish();
    await clock.advance(1_000);
    await Promise.all([slow, next]);
    expect(isIn).toBe(true);

    // Its holder never comes back, and goes on with nothing.
    await leases.take({ name: 'a', owner: 'killed', forMs: 3_000 });
    isIn = false;
    const late = createLeaseLocks({ leases, clock, leaseMs: 3_000 }).run('a', async () => {
      isIn = true;
    });
    await clock.advance(2_900);
    expect(isIn).toBe(false);
    await clock.advance(1_000);
    await late;
    expect(isIn).toBe(true);
  });

  it('are not taken again behind their end, by what was under way', async () => {
    const clock = createManualClock();
    const leases = memoryLeases(clock);
    let answer = (): void => undefined;
    let takes = 0;
    const slow: LeaseStore = {
      ...leases,
      async take(lease) {
        if (++takes > 1) await new Promise<void>((resolve) => (answer = resolve));
        return await leases.take(lease);
      },
    };
    let finish = (): void => undefined;
    const run = createLeaseLocks({ leases: slow, clock, leaseMs: 3_000 }).run(
      'a',
      () => new Promise<void>((resolve) => (finish = resolve)),
    );
    await clock.advance(1_000);
    finish();
    await clock.advance(0);
    answer();
    await run;
    expect(leases.kept.size).toBe(0);
  });

  it('begin nothing where it cannot be known whose turn it is', async () => {
    const clock = createManualClock();
    const leases: LeaseStore = { take: () => Promise.reject(new TypeError('no store')), release: never };
    let isIn = false;
    const run = createLeaseLocks({ leases, clock }).run('a', async () => {
      isIn = true;
    });
    await expect(run).rejects.toThrow('no store');
    expect(isIn).toBe(false);
  });
});
