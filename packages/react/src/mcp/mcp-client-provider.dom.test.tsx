import { act, render, screen } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createServerManager } from '@portico/connections/manager';
import { WORLD_URL, askingServer, createServerWorld } from '../../../../testing/managed-world.ts';
import type { ServerWorld } from '../../../../testing/managed-world.ts';
import { McpClientProvider } from './mcp-client-provider.tsx';
import type { McpClientProviderProps } from './mcp-client-provider.tsx';
import type { UseMcpClientResult } from './client-reader.ts';
import { useMcpClient } from './use-mcp-client.ts';

const opened = (world: ServerWorld): number =>
  world.lines().filter((line) => line === 'POST initialize').length;
const settle = (world: ServerWorld): Promise<void> => act(() => world.settle());
const address = (id: string): string => `${WORLD_URL}?id=${id}`;
const named = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, { url: address(id) }]));

interface Mounted {
  readonly client: () => UseMcpClientResult;
  readonly ids: () => readonly string[];
  readonly render: (props: McpClientProviderProps) => void;
  readonly unmount: () => void;
}

/** A provider with one component below that hands out what it was given. */
function mount(world: ServerWorld, props: McpClientProviderProps, strict = false): Mounted {
  let client: UseMcpClientResult | undefined;
  const Inside = (): ReactNode => {
    client = useMcpClient();
    return client.servers.map(({ id, state }) => <p key={id}>{`${id} ${state}`}</p>);
  };
  const tree = (given: McpClientProviderProps): ReactNode => {
    const { environment } = world.tab;
    const provider = (
      <McpClientProvider environment={environment} {...given}>
        <Inside />
      </McpClientProvider>
    );
    return strict ? <StrictMode>{provider}</StrictMode> : provider;
  };
  const { rerender, unmount } = render(tree(props));
  const now = (): UseMcpClientResult => {
    if (client === undefined) throw new TypeError('nothing was rendered');
    return client;
  };
  return {
    client: now,
    ids: () => now().servers.map(({ id }) => id),
    render: (next) => rerender(tree(next)),
    unmount,
  };
}

describe('the servers of a provider', () => {
  it('R127 R84 connect on mount under their keys, and are there at the first render', async () => {
    const world = createServerWorld();
    const { ids, client, unmount } = mount(world, { mcpServers: named('b', 'a') });
    expect(ids()).toEqual(['b', 'a']);
    expect(client().storageLoaded).toBe(true);
    await settle(world);
    expect(screen.getAllByText(/ready/).map(({ textContent }) => textContent)).toEqual([
      'b ready',
      'a ready',
    ]);
    unmount();
    await settle(world);
  });

  it('R127 follow the prop: additions, removals, changed values, and nothing for an equal one', async () => {
    const world = createServerWorld({ era: 'legacy' });
    const mounted = mount(world, { mcpServers: named('a', 'b') });
    await settle(world);
    mounted.render({ mcpServers: named('a', 'b') });
    await settle(world);
    expect(opened(world)).toBe(2);
    mounted.render({ mcpServers: named('b', 'c') });
    await settle(world);
    expect([mounted.ids(), opened(world)]).toEqual([['b', 'c'], 3]);
    expect(world.lines().filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    mounted.render({ mcpServers: { ...named('b'), c: { url: address('d') } } });
    await settle(world);
    expect([mounted.client().getServer('c')?.url, opened(world)]).toEqual([address('d'), 4]);
    mounted.unmount();
    await settle(world);
  });

  it('R127 R132 keep what was changed by other means while the prop says the same', async () => {
    const world = createServerWorld();
    const mounted = mount(world, { mcpServers: named('a') });
    await settle(world);
    await act(async () => mounted.client().getServer('a')?.setHeaders({ x: '1' }));
    mounted.render({ mcpServers: named('a') });
    await settle(world);
    expect(mounted.client().getServer('a')?.headers).toEqual({ x: '1' });
    mounted.render({ mcpServers: { a: { url: address('a'), displayName: 'A' } } });
    await settle(world);
    expect(mounted.client().getServer('a')).toMatchObject({ headers: { x: '1' }, displayName: 'A' });
    await act(() => mounted.client().removeServer('a'));
    mounted.render({ mcpServers: { a: { url: address('a'), displayName: 'A' } } });
    expect(mounted.ids()).toEqual([]);
    mounted.unmount();
    await settle(world);
  });

  it('R128 R129 R130 R133 are added, changed and removed by functions that stay the same', async () => {
    const world = createServerWorld();
    const mounted = mount(world, { mcpServers: named('a') });
    const { addServer, getServer, updateServer, removeServer } = mounted.client();
    await settle(world);
    act(() => {
      addServer('b', { url: address('b') });
      expect(getServer('b')).toMatchObject({ id: 'b', state: 'discovering' });
      addServer('b', { url: address('other') });
    });
    expect(getServer('b')?.url).toBe(address('b'));
    expect(getServer('b')?.log.filter(({ level }) => level === 'warn')).toHaveLength(1);
    await settle(world);
    expect(mounted.ids()).toEqual(['a', 'b']);
    expect(getServer('b')?.state).toBe('ready');
    await act(() => updateServer('b', { displayName: 'Bee' }));
    expect(getServer('b')?.displayName).toBe('Bee');
    await expect(updateServer('zz', {})).rejects.toMatchObject({ code: 'unknown_server' });
    expect(() => addServer('c', { url: 'ftp://x' })).toThrow(
      expect.objectContaining({ code: 'invalid_config', data: { member: 'url' } }),
    );
    await act(() => removeServer('b'));
    await act(() => removeServer('zz'));
    expect([mounted.ids(), getServer('b')]).toEqual([['a'], undefined]);
    expect(mounted.client().addServer).toBe(addServer);
    mounted.unmount();
    await settle(world);
  });

  it('R134 get what they leave out from the defaults, and only those concerned connect anew', async () => {
    const world = createServerWorld({ era: 'legacy' });
    const servers = { ...named('a'), b: { url: address('b'), clientInfo: { name: 'own', version: '1' } } };
    const clientInfo = { name: 'all', version: '1' };
    const mounted = mount(world, {
      mcpServers: servers,
      clientInfo,
      defaultServerConfig: { timeout: 5_000 },
    });
    await settle(world);
    const told = () =>
      world.sent
        .filter(({ rpc }) => rpc === 'initialize')
        .map(({ message }) => (message['params'] as { clientInfo: object }).clientInfo);
    expect(told()).toEqual([clientInfo, { name: 'own', version: '1' }]);
    expect(mounted.client().getServer('a')).toMatchObject({ timeout: 5_000, clientInfo });
    mounted.render({
      mcpServers: servers,
      clientInfo: { ...clientInfo },
      defaultServerConfig: { timeout: 5_000 },
    });
    await settle(world);
    expect(opened(world)).toBe(2);
    mounted.render({ mcpServers: servers, clientInfo: { name: 'new', version: '1' } });
    await settle(world);
    expect(told().slice(2)).toEqual([{ name: 'new', version: '1' }]);
    expect(mounted.client().getServer('a')).not.toHaveProperty('timeout');
    mounted.unmount();
    await settle(world);
  });

  it.each([
    ['once', false],
    ['once in strict mode', true],
  ])('R135 R136 are told of %s, in order and to the newest functions', async (_name, strict) => {
    const world = createServerWorld();
    const told: string[] = [];
    const props = (turn: string): McpClientProviderProps => ({
      mcpServers: named('a', 'b'),
      onServerAdded: (id, server) => {
        told.push(`${turn} + ${id} ${server.url}`);
        throw new TypeError('a listener is broken');
      },
      onServerRemoved: (id) => told.push(`${turn} - ${id}`),
      onServerStateChange: (id, state) => told.push(`${turn} ${id} ${state}`),
    });
    const mounted = mount(world, props('1'), strict);
    expect(told).toEqual([
      `1 + a ${address('a')}`,
      '1 a discovering',
      `1 + b ${address('b')}`,
      '1 b discovering',
    ]);
    mounted.render(props('2'));
    await settle(world);
    expect(told.slice(4).toSorted()).toEqual(['2 a ready', '2 b ready']);
    await act(() => mounted.client().removeServer('b'));
    expect(told.slice(6)).toEqual(['2 - b']);
    expect(
      mounted
        .client()
        .getServer('a')
        ?.log.filter(({ level }) => level === 'error'),
    ).toHaveLength(1);
    mounted.unmount();
    await settle(world);
    expect(told).toHaveLength(7);
  });

  it('R136 may be changed by those who are told of them', async () => {
    const [world, error] = [createServerWorld(), vi.spyOn(console, 'error')];
    let client: UseMcpClientResult | undefined;
    const Inside = (): ReactNode => {
      client = useMcpClient();
      return client.servers.map(({ id }) => id).join(' ');
    };
    const App = (): ReactNode => {
      const [ready, setReady] = useState<readonly string[]>([]);
      return (
        <McpClientProvider
          environment={world.tab.environment}
          mcpServers={named('a')}
          onServerStateChange={(id, state) => {
            if (state !== 'ready') return;
            setReady((before) => [...before, id]);
            if (id === 'a') client?.addServer('b', { url: address('b') });
            else void client?.removeServer('a');
          }}
        >
          <output>{ready.join(' ')}</output>
          <Inside />
        </McpClientProvider>
      );
    };
    const { container, unmount } = render(<App />);
    const shown = async (): Promise<string | null> => {
      await settle(world);
      return container.textContent;
    };
    await expect.poll(shown).toBe('a bb');
    expect(error).not.toHaveBeenCalled();
    error.mockRestore();
    unmount();
    await settle(world);
  });
});

describe('questions of servers', () => {
  it('R136 R109 reach the newest functions once, with how to answer', async () => {
    const world = createServerWorld({ era: 'modern', build: askingServer });
    const asked: unknown[] = [];
    const props = (turn: string): McpClientProviderProps => ({
      mcpServers: named('a'),
      onElicitationRequest: (...[request, id, name, approve, reject]) => {
        asked.push([turn, id, name, request.request.message, typeof reject]);
        approve(request.id, { action: 'accept', content: { turn } });
      },
    });
    const mounted = mount(world, props('1'), true);
    await settle(world);
    mounted.render(props('2'));
    const call = mounted.client().getServer('a')?.callTool('asks');
    await settle(world);
    expect((await call)?.content).toEqual([
      expect.objectContaining({ text: expect.stringContaining('"turn":"2"') }),
    ]);
    expect(asked).toEqual([['2', 'a', 'echo-server', 'Go on?', 'function']]);
    expect(mounted.client().getServer('a')?.pendingElicitationRequests).toEqual([]);
    mounted.unmount();
    await settle(world);
  });
});

describe('a provider', () => {
  it('R137 connects once in strict mode, and goes on after it was away and came back within a task', async () => {
    const world = createServerWorld({ era: 'legacy' });
    const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
    const mounted = mount(world, { mcpServers: named(...ids) }, true);
    await settle(world);
    expect(opened(world)).toBe(20);
    expect(world.lines().filter((line) => line.startsWith('DELETE'))).toEqual([]);
    mounted.unmount();
    await settle(world);
    expect(world.lines().filter((line) => line.startsWith('DELETE'))).toHaveLength(20);
    expect(world.clock.armed).toBe(0);
  });

  it('R163 leaves nothing behind after a hundred times', async () => {
    const world = createServerWorld({ era: 'legacy' });
    for (let count = 0; count < 100; count++) {
      const mounted = mount(world, { mcpServers: named('a') }, true);
      if (count % 2 === 0) await settle(world);
      mounted.unmount();
    }
    await settle(world);
    const closed = world.lines().filter((line) => line.startsWith('DELETE')).length;
    expect([opened(world) - closed, world.clock.armed]).toEqual([0, 0]);
    expect([world.tab.page.listeners, world.tab.channels]).toEqual([0, 0]);
  });

  it('R163 renders nothing in a minute of twenty ready servers that have nothing to say', async () => {
    const world = createServerWorld({ era: 'legacy' });
    const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
    let renders = 0;
    const Rows = (): ReactNode => {
      renders += 1;
      const { servers, storageLoaded } = useMcpClient();
      return `${servers.filter(({ state }) => state === 'ready').length} ${storageLoaded}`;
    };
    const { container, unmount } = render(
      <McpClientProvider environment={world.tab.environment} mcpServers={named(...ids)}>
        <Rows />
      </McpClientProvider>,
    );
    await settle(world);
    expect(container.textContent).toBe('20 true');
    const [before, sent] = [renders, world.sent.length];
    await act(() => world.clock.advance(60_000));
    // They were looked after meanwhile.
    expect(world.sent.length).toBeGreaterThan(sent);
    expect(renders - before).toBe(0);
    unmount();
    await settle(world);
  });

  it('R145 shares nothing with another, and the inner one of two counts', async () => {
    const world = createServerWorld();
    const { environment } = world.tab;
    const Ids = ({ place }: { readonly place: string }): ReactNode => (
      <p>{`${place}: ${useMcpClient()
        .servers.map(({ id }) => id)
        .join(' ')}`}</p>
    );
    const { container, unmount } = render(
      <McpClientProvider environment={environment} mcpServers={named('a')}>
        <Ids place="outer" />
        <McpClientProvider environment={environment} mcpServers={named('b')}>
          <Ids place="inner" />
        </McpClientProvider>
      </McpClientProvider>,
    );
    await settle(world);
    expect(container.textContent).toBe('outer: ainner: b');
    unmount();
    await settle(world);
  });

  it('R145 uses the manager it is given, and leaves it as it is when it goes', async () => {
    const world = createServerWorld({ era: 'legacy' });
    const { environment } = world.tab;
    const manager = createServerManager({ environment, defaults: { serverConfig: { timeout: 9_000 } } });
    const release = manager.retain();
    manager.addServer('a', { url: address('a') });
    const mounted = mount(world, { manager });
    await settle(world);
    expect([mounted.ids(), opened(world)]).toEqual([['a'], 1]);
    mounted.unmount();
    await settle(world);
    expect(manager.getServer('a')).toMatchObject({ state: 'ready', timeout: 9_000 });
    release();
    await settle(world);
    expect(manager.getServer('a')?.state).toBe('discovering');
    await manager.close();
  });

  it('R145 changes over to another manager, and back to its own', async () => {
    const world = createServerWorld();
    const manager = createServerManager({ environment: world.tab.environment });
    manager.addServer('x', { url: address('x') });
    const mounted = mount(world, { mcpServers: named('a') });
    await settle(world);
    mounted.render({ manager });
    await settle(world);
    expect(mounted.client().servers.map(({ id, state }) => `${id} ${state}`)).toEqual(['x ready']);
    mounted.render({ mcpServers: named('a') });
    await settle(world);
    expect(mounted.client().servers.map(({ id, state }) => `${id} ${state}`)).toEqual(['a ready']);
    mounted.unmount();
    await settle(world);
  });
});
