import { createServerManager } from '@portico/connections/manager';
import type { ServerManager, StorageProvider } from '@portico/connections/manager';
import { describe, expect, it } from 'vitest';
import { WORLD_URL, createManagedWorld, createServerWorld } from '../../../../testing/managed-world.ts';
import { MemoryStorageProvider } from './storage-provider.ts';

const PAGE_URL = 'https://app.test/shop/cart?item=1';

/** A manager on a page, or in a program without one. */
function createPlace(place: 'page' | 'program', storageProvider?: StorageProvider) {
  const world = createServerWorld();
  const { page: _page, ...program } = world.tab.environment;
  const environment = place === 'page' ? world.browser.openTab(PAGE_URL).environment : program;
  const manager: ServerManager = createServerManager({ environment, storageProvider });
  manager.retain();
  return { ...world, manager, asked: () => new Set(world.sent.map(({ url }) => url.href)) };
}

const REFUSAL = { code: 'invalid_config', message: expect.stringContaining('absolute') as string };

describe('the address of a managed server', () => {
  it('R7 R131 may be a path on a page, which is one on the origin of that page', async () => {
    const place = createPlace('page');
    place.manager.addServer('a', { url: '/mcp' });
    await place.settle();
    expect(place.manager.getServer('a')).toMatchObject({ state: 'ready', url: '/mcp' });
    expect(place.asked()).toEqual(new Set(['https://app.test/mcp']));
    await place.manager.updateServer('a', { url: '/other/../mcp?v=2' });
    await place.settle();
    expect(place.manager.getServer('a')).toMatchObject({ state: 'ready' });
    expect(place.asked()).toContain('https://app.test/mcp?v=2');
  });

  it('R7 may be a path for a server that is declared, and by a default for all', async () => {
    const place = createPlace('page');
    place.manager.declare().follow({ a: {} }, { serverConfig: { url: '/mcp' } });
    await place.settle();
    expect(place.manager.getServer('a')?.state).toBe('ready');
    expect(place.asked()).toEqual(new Set(['https://app.test/mcp']));
  });

  it('R7 is no path without a page, and the refusal says what to give instead', async () => {
    const place = createPlace('program');
    expect(() => place.manager.addServer('a', { url: '/mcp' })).toThrow(expect.objectContaining(REFUSAL));
    place.manager.declare().follow({ b: { url: '/mcp' } });
    await place.settle();
    expect(place.manager.getServer('b')).toMatchObject({
      state: 'failed',
      error: REFUSAL.message,
      failure: { code: REFUSAL.code },
    });
    expect(place.sent).toEqual([]);
  });

  it.each(['mcp', './mcp', '//evil.test/mcp', '/\\evil.test/mcp', 'app.test/mcp', '?a', ''])(
    'R7 is not %j, on a page neither',
    async (url) => {
      const place = createPlace('page');
      expect(() => place.manager.addServer('a', { url })).toThrow(expect.objectContaining(REFUSAL));
      await place.settle();
      expect(place.sent).toEqual([]);
    },
  );

  it('R7 is a path still after it was stored and the server is asked for again', async () => {
    const stored = new MemoryStorageProvider();
    const first = createPlace('page', stored);
    await first.settle();
    first.manager.addServer('a', { url: '/mcp' });
    await first.settle();
    await first.manager.close();
    const second = createPlace('page', stored);
    await second.settle();
    expect(second.manager.getServer('a')).toMatchObject({ state: 'ready', url: '/mcp' });
    expect(second.asked()).toEqual(new Set(['https://app.test/mcp']));
  });

  it('R7 is no refusal of a change that leaves it alone', async () => {
    const world = createManagedWorld();
    const server = await world.add('a', { url: WORLD_URL });
    await expect(server.updateConfig({ url: 'mcp' })).rejects.toMatchObject(REFUSAL);
    await server.setHeaders({ 'x-a': '1' });
    expect(world.server().state).toBe('ready');
  });
});
