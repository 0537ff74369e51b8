import { act, render } from '@testing-library/react';
import { StrictMode } from 'react';
import { describe, expect, it } from 'vitest';
import { createServerManager } from '@portico/connections/manager';
import type { ServerOptions } from '@portico/connections/manager';
import { WORLD_URL, createServerWorld } from '../../../../testing/managed-world.ts';
import { McpClientProvider } from './mcp-client-provider.tsx';
import type { McpClientProviderProps } from './mcp-client-provider.tsx';

const address = (id: string): string => `${WORLD_URL}?id=${id}`;
const named = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, { url: address(id) }]));

type Parts = Readonly<Record<string, McpClientProviderProps>>;

/** One manager, and a page with a provider of it for each of the parts. */
async function share(parts: Parts, { isDevelopment = true } = {}) {
  const world = createServerWorld({ era: 'legacy' });
  const environment = { ...world.tab.environment, isDevelopment };
  const own = { serverConfig: { timeout: 9_000 } };
  const manager = createServerManager({ environment, defaults: own });
  const letGo = manager.retain();
  const tree = (given: Parts) => (
    <StrictMode>
      {Object.entries(given).map(([key, props]) => (
        <McpClientProvider key={key} manager={manager} {...props} />
      ))}
    </StrictMode>
  );
  const { rerender, unmount } = render(tree(parts));
  const settle = (): Promise<void> => act(() => world.settle());
  await settle();
  return {
    world,
    manager,
    settle,
    show: async (next: Parts): Promise<void> => {
      rerender(tree(next));
      await settle();
    },
    states: () => manager.ids().map((id) => `${id} ${manager.getServer(id)?.state}`),
    opened: () =>
      world.sent.filter(({ rpc }) => rpc === 'initialize').map(({ url }) => url.searchParams.get('id')),
    closed: () => world.lines().filter((line) => line === 'DELETE -').length,
    errors: (id: string) => manager.getServer(id)?.log.filter(({ level }) => level === 'error').length,
    end: async (): Promise<void> => {
      unmount();
      await settle();
      expect(manager.ids()).toEqual([]);
      letGo();
      await settle();
      expect(world.clock.armed).toBe(0);
      await manager.close();
    },
  };
}

describe('providers that share a manager', () => {
  it('R145 R127 own what each declares: none undoes the other, and who goes takes its own only', async () => {
    const first = { mcpServers: named('a', 'x') };
    const second = { mcpServers: named('b') };
    const page = await share({ first, second });
    const { manager, show, states, opened, closed, end } = page;
    manager.addServer('added', { url: address('added') });
    await page.settle();
    expect(states()).toEqual(['a ready', 'x ready', 'b ready', 'added ready']);
    for (let turn = 0; turn < 3; turn += 1) {
      await show({ first: { mcpServers: named('a', 'x') }, second: { mcpServers: named('b') } });
    }
    expect([opened(), closed()]).toEqual([['a', 'x', 'b', 'added'], 0]);
    await show({ first: { mcpServers: named('a') }, second });
    expect(states()).toEqual(['a ready', 'b ready', 'added ready']);
    await show({ second });
    expect([states(), opened().length, closed()]).toEqual([['b ready', 'added ready'], 4, 2]);
    await manager.removeServer('added');
    await end();
  });

  it('R145 keep one connection of a server that both declare alike, until the last of them goes', async () => {
    const alike = (): McpClientProviderProps => ({
      mcpServers: { a: { url: address('a'), onNotification: () => undefined } },
    });
    const parts = { first: alike(), second: alike() };
    const { world, show, states, opened, closed, errors, end } = await share(parts);
    expect([states(), opened(), errors('a')]).toEqual([['a ready'], ['a'], 0]);
    await show({ second: alike() });
    await show({ first: alike(), second: alike() });
    await show({ first: alike() });
    expect([states(), opened(), closed(), world.tab.printed]).toEqual([['a ready'], ['a'], 0, []]);
    await show({});
    expect([states(), closed()]).toEqual([[], 1]);
    await end();
  });

  it('R145 are told once that they disagree about a server, and the first counts until it goes', async () => {
    const declare = (options: ServerOptions): McpClientProviderProps => ({ mcpServers: { a: options } });
    const first = declare({ url: address('one') });
    const second = declare({ url: address('two') });
    const { world, manager, show, opened, errors, end } = await share({ first, second });
    for (let turn = 0; turn < 2; turn += 1) await show({ first, second });
    expect([opened(), errors('a')]).toEqual([['one'], 1]);
    expect(world.tab.printed).toEqual([expect.stringMatching(/^error the server a is declared twice/)]);
    await show({ first: declare({ url: address('new') }), second });
    expect([opened(), errors('a')]).toEqual([['one', 'new'], 1]);
    await show({ second });
    expect([opened(), manager.getServer('a')?.url]).toEqual([['one', 'new', 'two'], address('two')]);
    await end();
  });

  it('R145 print nothing of that where people use the application', async () => {
    const parts = { first: { mcpServers: named('a') }, second: { mcpServers: { a: { url: address('b') } } } };
    const { world, errors, end } = await share(parts, { isDevelopment: false });
    expect([world.tab.printed, errors('a')]).toEqual([[], 1]);
    await end();
  });

  it('R134 R145 say defaults for all: those of the first count while it is there, then the next, then its own', async () => {
    const first = { mcpServers: named('a'), defaultServerConfig: { timeout: 1_000 } };
    const second = { mcpServers: named('b'), defaultServerConfig: { timeout: 2_000 } };
    const { world, manager, show, opened, end } = await share({ first, second });
    const timeouts = () =>
      manager.ids().map((id) => {
        const { timeout } = manager.getServer(id) ?? {};
        return timeout;
      });
    expect(timeouts()).toEqual([1_000, 1_000]);
    await show({ second, first });
    expect([timeouts(), opened()]).toEqual([
      [1_000, 1_000],
      ['a', 'b'],
    ]);
    expect(world.tab.printed).toEqual([expect.stringMatching(/different defaults/)]);
    await show({ second });
    expect([timeouts(), opened()]).toEqual([[2_000], ['a', 'b']]);
    await show({ second: { mcpServers: named('b') } });
    expect(timeouts()).toEqual([9_000]);
    await end();
  });

  it('R127 R139 connect once when settings and defaults change in one render', async () => {
    const at = (turn: string): McpClientProviderProps => ({
      mcpServers: { a: { url: address(turn) } },
      clientInfo: { name: turn, version: '1' },
    });
    const { show, opened, end } = await share({ first: at('one') });
    await show({ first: at('two') });
    expect(opened()).toEqual(['one', 'two']);
    await end();
  });
});
