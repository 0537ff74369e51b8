import { act, render } from '@testing-library/react';
import { StrictMode } from 'react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { MemoryStorageProvider, TextStorageProvider } from '@portico/connections/manager';
import type { StorageProvider } from '@portico/connections/manager';
import { WORLD_URL, createServerWorld } from '../../../../testing/managed-world.ts';
import type { ServerWorld } from '../../../../testing/managed-world.ts';
import type { UseMcpClientResult } from './client-reader.ts';
import { McpClientProvider } from './mcp-client-provider.tsx';
import type { McpClientProviderProps } from './mcp-client-provider.tsx';
import { useMcpClient } from './use-mcp-client.ts';

const settle = (world: ServerWorld): Promise<void> => act(() => world.settle());
const address = (id: string): string => `${WORLD_URL}?id=${id}`;

function mount(world: ServerWorld, props: McpClientProviderProps) {
  const seen: UseMcpClientResult[] = [];
  const Inside = (): ReactNode => {
    const client = useMcpClient();
    seen.push(client);
    return `${client.storageLoaded} ${client.servers.map(({ id }) => id).join(' ')}`;
  };
  const { unmount, container } = render(
    <StrictMode>
      <McpClientProvider environment={world.tab.environment} {...props}>
        <Inside />
      </McpClientProvider>
    </StrictMode>,
  );
  const client = (): UseMcpClientResult => seen.at(-1) as UseMcpClientResult;
  return { unmount, container, seen, client };
}

describe('stored servers', () => {
  it.each<[string, (world: ServerWorld) => StorageProvider]>([
    ['at once', () => new MemoryStorageProvider()],
    ['by promises', ({ browser }) => new TextStorageProvider(browser.storage)],
  ])('R84 R82 come back in stored order, and the prop goes first: %s', async (_name, create) => {
    const world = createServerWorld();
    const storageProvider = create(world);
    const first = mount(world, { storageProvider, mcpServers: { p: { url: address('p') } } });
    expect(first.container.textContent).toBe('false p');
    await settle(world);
    expect(first.container.textContent).toBe('true p');
    for (const id of ['b', 'a', 'gone']) act(() => first.client().addServer(id, { url: address(id) }));
    await settle(world);
    await act(() => first.client().updateServer('p', { displayName: 'changed', headers: { secret: '1' } }));
    await act(() => first.client().updateServer('a', { displayName: 'A' }));
    await act(() => first.client().removeServer('gone'));
    first.unmount();
    await settle(world);
    const stored = await storageProvider.getServers();
    expect([...stored]).toEqual([
      ['b', { url: address('b') }],
      ['a', { url: address('a'), displayName: 'A' }],
      ['p', { url: address('p'), displayName: 'changed' }],
    ]);
    const again = mount(world, { storageProvider, mcpServers: { p: { url: address('p2') } } });
    await settle(world);
    expect(again.container.textContent).toBe('true p b a');
    expect(again.client().getServer('p')?.url).toBe(address('p2'));
    const loads = again.seen.map(({ storageLoaded }) => storageLoaded);
    expect(loads.lastIndexOf(false)).toBeLessThan(loads.indexOf(true));
    expect(again.seen.filter(({ storageLoaded, servers }) => storageLoaded && servers.length < 3)).toEqual(
      [],
    );
    again.unmount();
    await settle(world);
  });

  it('R85 show how they presented themselves before they answer, and nothing of another address', async () => {
    const world = createServerWorld();
    const storageProvider = new MemoryStorageProvider();
    const first = mount(world, { storageProvider });
    await settle(world);
    act(() => first.client().addServer('a', { url: address('a') }));
    await settle(world);
    expect(first.client().getServer('a')?.name).toBe('echo-server');
    first.unmount();
    await settle(world);
    world.script(() => new Promise(() => undefined));
    const again = mount(world, { storageProvider });
    await settle(world);
    const shown = again.client().getServer('a');
    expect(shown).toMatchObject({ state: 'discovering', name: 'echo-server', client: null });
    expect(shown?.serverInfo).toEqual({ name: 'echo-server', version: '1.0.0' });
    expect(shown).not.toHaveProperty('capabilities');
    void again.client().updateServer('a', { url: address('other') });
    await settle(world);
    expect(again.client().getServer('a')?.name).toBe('');
    expect(storageProvider.getServerMetadata('a')).toBeUndefined();
    again.unmount();
    await settle(world);
  });

  it('R83 are left alone when they cannot be read, and the app starts with those of the prop', async () => {
    const world = createServerWorld();
    const writes: string[] = [];
    const storageProvider: StorageProvider = {
      getServers: () => Promise.reject(new TypeError('broken')),
      setServer: (id) => void writes.push(id),
      removeServer: (id) => void writes.push(id),
    };
    const { container, client, unmount } = mount(world, {
      storageProvider,
      mcpServers: { p: { url: address('p') } },
    });
    await settle(world);
    expect(container.textContent).toBe('true p');
    expect(client().getServer('p')?.state).toBe('ready');
    expect(
      client()
        .getServer('p')
        ?.log.filter(({ level }) => level === 'error'),
    ).toHaveLength(1);
    expect(writes).toEqual([]);
    unmount();
    await settle(world);
  });
});
