import { describe, expect, it } from 'vitest';
import { WORLD_URL, createManagedWorld } from '../../../../testing/managed-world.ts';
import type { ManagedWorld } from '../../../../testing/managed-world.ts';
import { createAccountStore } from './sign-in/account-store.ts';

const PROXY = 'https://proxy.test/mcp';
const openings = (world: ManagedWorld): number =>
  world.lines().filter((line) => line === 'POST initialize').length;

describe('changing the settings of a managed server', () => {
  it.each([
    ['straight', {}],
    ['by a proxy', { proxyConfig: { proxyAddress: PROXY, headers: { 'x-proxy': 'key' } } }],
  ])('R132 sends new headers with the next call, after one reconnect, %s', async (_name, way) => {
    const world = createManagedWorld({ era: 'legacy' });
    const server = await world.add('a', { url: WORLD_URL, headers: { 'x-a': '1', 'x-b': '2' }, ...way });
    await server.setHeaders({ 'x-b': '2', 'x-a': '1' });
    expect(openings(world)).toBe(1);
    await server.setHeaders({ 'x-a': 'new' });
    expect(openings(world)).toBe(2);
    await server.callTool('echo');
    const { headers } = world.sent.at(-1) ?? { headers: new Headers() };
    expect([headers.get('x-a'), headers.get('x-b')]).toEqual(['new', null]);
    await server.setHeaders(undefined);
    expect(openings(world)).toBe(3);
    await server.callTool('echo');
    expect(world.sent.at(-1)?.headers.has('x-a')).toBe(false);
    expect(world.server()).not.toHaveProperty('headers');
  });

  it('R130 R131 connects anew once for what needs it, and not for what does not', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    const server = await world.add('a', { url: WORLD_URL, displayName: 'A' });
    const sent = world.sent.length;
    await server.updateConfig({ url: WORLD_URL, displayName: 'A' });
    await server.updateConfig({ displayName: 'B', timeout: 9_000, autoReconnect: 5_000, logLevel: 'warn' });
    expect(world.sent).toHaveLength(sent);
    expect(world.server()).toMatchObject({ displayName: 'B', timeout: 9_000 });
    await world.manager.updateServer('a', { displayName: undefined } as object);
    expect(world.server()).not.toHaveProperty('displayName');
    const changed = server.updateConfig({ clientInfo: { name: 'x', version: '1' } });
    expect(world.server().state).toBe('discovering');
    await changed;
    expect([openings(world), world.server().state]).toEqual([2, 'ready']);
    await expect(world.manager.updateServer('none', {})).rejects.toMatchObject({ code: 'unknown_server' });
    await expect(server.updateConfig({ timeout: -1 })).rejects.toMatchObject({ code: 'invalid_config' });
  });

  it('R129 resolves when a removed server is gone, and keeps its sign-in unless told otherwise', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    const place = { storageKeyPrefix: 'mcp:auth', url: WORLD_URL };
    await createAccountStore(world.browser.storage, place).set('tokens x', { access_token: 'kept' });
    await world.add('a');
    await world.manager.removeServer('a');
    expect(world.lines().at(-1)).toBe('DELETE -');
    await expect(world.manager.removeServer('a')).resolves.toBeUndefined();
    expect(Object.keys(world.browser.stored())).toHaveLength(1);
    await world.add('a');
    await world.manager.removeServer('a', { clearCredentials: true });
    await world.settle();
    expect(world.browser.stored()).toEqual({});
  });
});
