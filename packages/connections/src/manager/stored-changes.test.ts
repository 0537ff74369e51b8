import { describe, expect, it } from 'vitest';
import { WORLD_URL, createManagedWorld } from '../../../../testing/managed-world.ts';
import type { ManagedWorld } from '../../../../testing/managed-world.ts';
import { MemoryStorageProvider } from './storage-provider.ts';
import type { StorageProvider } from './storage-provider.ts';

/** A managed server, whose storage takes nothing from now until it is let go. */
async function openHeld() {
  const memory = new MemoryStorageProvider();
  let held = Promise.resolve();
  const storageProvider: StorageProvider = {
    getServers: () => memory.getServers(),
    async setServer(id, config) {
      await held;
      memory.setServer(id, config);
    },
    async removeServer(id) {
      await held;
      memory.removeServer(id);
    },
  };
  const world = createManagedWorld({ storageProvider });
  await world.add('a');
  let letGo = (): void => undefined;
  held = new Promise<void>((resolve) => (letGo = resolve));
  return { world, letGo: () => letGo(), stored: () => memory.getServers().get('a') };
}

describe('a change of a stored server', () => {
  it.each<[string, (world: ManagedWorld) => Promise<void>, object | undefined]>([
    [
      'another setting',
      (world) => world.server().updateConfig({ timeout: 5_000 }),
      { url: WORLD_URL, timeout: 5_000 },
    ],
    [
      'one by the manager',
      (world) => world.manager.updateServer('a', { timeout: 5_000 }),
      { url: WORLD_URL, timeout: 5_000 },
    ],
    [
      'another name',
      (world) => world.server().setDisplayName('Mail'),
      { url: WORLD_URL, displayName: 'Mail' },
    ],
    ['its removal', (world) => world.manager.removeServer('a'), undefined],
  ])('R82 is stored before it is done: %s', async (_name, change, after) => {
    const { world, letGo, stored } = await openHeld();
    let isDone = false;
    const changing = change(world).then(() => (isDone = true));
    await world.settle();
    expect([isDone, stored()]).toEqual([false, { url: WORLD_URL }]);
    letGo();
    await changing;
    expect(stored()).toEqual(after);
    await world.manager.close();
  });

  it('R82 that adds one is stored by the next task', async () => {
    const storageProvider = new MemoryStorageProvider();
    const world = createManagedWorld({ storageProvider });
    world.manager.addServer('a', { url: WORLD_URL });
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(storageProvider.getServers().get('a')).toEqual({ url: WORLD_URL });
    await world.manager.close();
  });
});
