import { expect, it } from 'vitest';
import type { StoreContext } from './store-contract.ts';

const LONG_MS = 30_000;

/** Rules of who may do something just now, among all who have the stores open. */
export function leaseRules(context: StoreContext): void {
  it('are one owner’s until they are released, also for others who have the stores open', async () => {
    const mine = context.stores.leases;
    const others = await context.open();
    const { leases: theirs } = others;
    const lease = { name: 'grant a', forMs: LONG_MS };
    expect(await mine.take({ ...lease, owner: 'me' })).toBe(true);
    expect(await theirs.take({ ...lease, owner: 'them' })).toBe(false);
    expect(await theirs.take({ ...lease, owner: 'me' })).toBe(true);
    expect(await theirs.take({ ...lease, name: 'grant b', owner: 'them' })).toBe(true);
    await theirs.release('grant a', 'them');
    expect(await theirs.take({ ...lease, owner: 'them' })).toBe(false);
    await mine.release('grant a', 'me');
    expect(await theirs.take({ ...lease, owner: 'them' })).toBe(true);
    expect(await mine.take({ ...lease, owner: 'me' })).toBe(false);
    await others.close();
  });

  it('go to one of those who ask at once', async () => {
    const others = await context.open();
    const asked = Array.from({ length: 8 }, (_, index) =>
      [context.stores, others][index % 2]!.leases.take({ name: 'one', owner: `${index}`, forMs: LONG_MS }),
    );
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    await others.close();
  });

  it('end by themselves, outlive who opened the stores, and are void when a clock was set back', async () => {
    const { leases } = context.stores;
    await leases.take({ name: 'over', owner: 'me', forMs: 0 });
    await leases.take({ name: 'kept', owner: 'me', forMs: LONG_MS });
    await leases.take({ name: 'tomorrow', owner: 'me', forMs: 24 * 60 * 60 * 1000 });
    const { leases: reopened } = await context.reopen();
    const taken = ['over', 'kept', 'tomorrow'].map((name) =>
      reopened.take({ name, owner: 'them', forMs: LONG_MS }),
    );
    expect(await Promise.all(taken)).toEqual([true, false, true]);
  });
}
