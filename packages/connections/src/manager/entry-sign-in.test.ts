import { describe, expect, it } from 'vitest';
import { WORLD_URL, createManagedWorld } from '../../../../testing/managed-world.ts';
import type { ManagedWorld } from '../../../../testing/managed-world.ts';
import { createAccountStore } from './sign-in/account-store.ts';

/** Puts something where the sign-in of the server keeps its own. */
async function store(world: ManagedWorld): Promise<void> {
  const place = { storageKeyPrefix: 'mcp:auth', url: WORLD_URL };
  await createAccountStore(world.browser.storage, place).set('tokens x', { access_token: 'kept' });
}

describe('the sign-in of an entry', () => {
  it('R138 leaves nothing behind whenever its server goes, also while its code is being loaded', async () => {
    const left: number[] = [];
    for (let turns = 0; turns < 120; turns++) {
      const world = createManagedWorld();
      world.manager.addServer('a', { url: WORLD_URL });
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await world.manager.removeServer('a');
      await world.settle();
      if (world.tab.channels > 0) left.push(turns);
    }
    expect(left).toEqual([]);
  });

  it('R76 R129 removes what is stored although the server was never connected, and leaves nothing open', async () => {
    const world = createManagedWorld();
    await store(world);
    world.manager.addServer('a', { url: WORLD_URL, enabled: false });
    expect(Object.keys(world.browser.stored())).toHaveLength(1);
    await world.manager.removeServer('a', { clearCredentials: true });
    await world.settle();
    expect(world.browser.stored()).toEqual({});
    expect(world.tab.channels).toBe(0);
  });
});
