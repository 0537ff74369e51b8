import { act, renderHook } from '@testing-library/react';
import { Fragment, StrictMode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { WORLD_URL, createServerWorld, echoServer } from '../../../../testing/managed-world.ts';
import type { ServerWorld } from '../../../../testing/managed-world.ts';
import { useMcp } from './use-mcp.ts';
import type { UseMcpOptions, UseMcpResult } from './use-mcp.ts';

const opened = (world: ServerWorld): number =>
  world.lines().filter((line) => line === 'POST initialize').length;
const closed = (world: ServerWorld): number =>
  world.lines().filter((line) => line.startsWith('DELETE')).length;
const settle = (world: ServerWorld): Promise<void> => act(() => world.settle());

/** The hook in a tree, with options that the test replaces. */
function mount(world: ServerWorld, options: UseMcpOptions = { url: WORLD_URL }, strict = false) {
  const { environment } = world.tab;
  return renderHook((props: UseMcpOptions) => useMcp({ ...props, environment }), {
    initialProps: options,
    // At the root: React takes effects back only there.
    wrapper: strict ? StrictMode : Fragment,
  });
}

describe('useMcp', () => {
  it('R9 R143 is discovering at the first render, then ready with its tools', async () => {
    const world = createServerWorld();
    const seen: UseMcpResult[] = [];
    renderHook(() => seen.push(useMcp({ url: WORLD_URL, environment: world.tab.environment })));
    expect(seen[0]).toMatchObject({ state: 'discovering', tools: [], client: null });
    await settle(world);
    const last = seen.at(-1);
    expect(last?.state).toBe('ready');
    expect(last?.tools.map(({ name }) => name)).toEqual(['echo']);
    const result = await last?.callTool('echo', { a: 1 });
    expect(result?.content).toEqual([{ type: 'text', text: '{"a":1}' }]);
  });

  it('R7 R143 is failed with invalid settings, from the first render on and without a request', async () => {
    const world = createServerWorld();
    const { result, rerender } = mount(world, { url: 'ftp://mcp.test' });
    const fault = { state: 'failed', idle: true, failure: { code: 'invalid_config', retryable: false } };
    expect(result.current).toMatchObject(fault);
    await settle(world);
    expect(result.current).toMatchObject(fault);
    expect(world.sent).toEqual([]);
    rerender({ url: WORLD_URL });
    await settle(world);
    expect(result.current).toMatchObject({ state: 'ready', idle: false });
    expect(result.current).not.toHaveProperty('failure');
    rerender({ url: WORLD_URL, connectionMode: 'proxy' });
    await settle(world);
    expect(result.current).toMatchObject(fault);
  });

  it('R137 field-D26 opens one connection in strict mode', async () => {
    const world = createServerWorld({ era: 'legacy' });
    const { result } = mount(world, { url: WORLD_URL }, true);
    await settle(world);
    expect(result.current.state).toBe('ready');
    expect([opened(world), closed(world)]).toEqual([1, 0]);
  });

  it.each(['connecting', 'ready', 'calling'] as const)(
    'R138 field-D26 leaves nothing behind when it is unmounted while %s',
    async (moment) => {
      const [world, console] = [createServerWorld({ era: 'legacy', build: holdingServer() }), quiet()];
      const { result, unmount } = mount(world);
      if (moment !== 'connecting') await settle(world);
      const call = moment === 'calling' ? result.current.callTool('hold') : undefined;
      const outcome = call?.then(
        () => 'answered',
        (error: unknown) => (error as { readonly code: unknown }).code,
      );
      if (call !== undefined) await settle(world);
      const before = result.current;
      unmount();
      await settle(world);
      expect([opened(world) - closed(world), world.clock.armed]).toEqual([0, 0]);
      expect(world.tab.page.listeners + world.tab.channels).toBe(0);
      expect(result.current).toBe(before);
      expect(await outcome).toBe(moment === 'calling' ? 'connection_closed' : undefined);
      await world.clock.advance(3_600_000);
      expect([opened(world) - closed(world), world.clock.armed, console.error.mock.calls]).toEqual([
        0,
        0,
        [],
      ]);
      console.error.mockRestore();
    },
  );

  it.each<[string, () => UseMcpOptions]>([
    ['clientInfo', () => ({ clientInfo: { name: 'x', version: '1' } })],
    ['proxyConfig', () => ({ proxyConfig: { headers: { a: '1' } } })],
    ['headers', () => ({ headers: { a: '1', b: '2' } })],
    ['oauth', () => ({ oauth: { scope: 'a' } })],
    ['clientOptions', () => ({ clientOptions: { capabilities: { views: true } } })],
    ['autoReconnect', () => ({ autoReconnect: { initialDelay: 100 } })],
    ['autoProxyFallback', () => ({ autoProxyFallback: { enabled: false } })],
    ['reconnectionOptions', () => ({ reconnectionOptions: { maxRetries: 1 } })],
    ['callbacks', () => ({ onNotification: () => undefined, onSampling: () => Promise.reject(new Error()) })],
  ])('R139 field-D25 stays connected through literals made anew: %s', async (_member, literal) => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const world = createServerWorld({ era: 'legacy', build: holdingServer(held) });
    const options = (): UseMcpOptions => ({ url: WORLD_URL, ...literal() });
    const { result, rerender } = mount(world, options(), true);
    await settle(world);
    const call = result.current.callTool('hold');
    for (let count = 0; count < 20; count++) {
      rerender(options());
      await settle(world);
    }
    letGo();
    await settle(world);
    expect((await call).content).toEqual([{ type: 'text', text: 'held' }]);
    expect([opened(world), closed(world)]).toEqual([1, 0]);
  });

  it('R140 field-D25 connects once more when headers really change, and sends the new ones', async () => {
    const world = createServerWorld({ era: 'legacy' });
    const { result, rerender } = mount(world, { url: WORLD_URL, headers: { a: '1', b: '2' } });
    await settle(world);
    rerender({ url: WORLD_URL, headers: { b: '2', a: '1' } });
    await settle(world);
    expect(opened(world)).toBe(1);
    rerender({ url: WORLD_URL, headers: { b: '2', a: '9' } });
    await settle(world);
    expect([opened(world), closed(world)]).toEqual([2, 1]);
    await act(() => result.current.callTool('echo'));
    expect(world.sent.at(-1)?.headers.get('a')).toBe('9');
  });

  it('R140 field-D26 stays with the last of two quick changes, whatever answers last', async () => {
    const world = createServerWorld({ era: 'legacy' });
    const { result, rerender } = mount(world);
    await settle(world);
    rerender({ url: `${WORLD_URL}?turn=1` });
    rerender({ url: `${WORLD_URL}?turn=2` });
    await settle(world);
    await settle(world);
    expect(result.current).toMatchObject({ state: 'ready', url: `${WORLD_URL}?turn=2` });
    expect(opened(world) - closed(world)).toBe(1);
    await act(() => result.current.callTool('echo'));
    expect(world.sent.at(-1)?.url.search).toBe('?turn=2');
  });

  it('R145 makes two connections of two calls with one address', async () => {
    const world = createServerWorld({ era: 'legacy' });
    const { environment } = world.tab;
    const { result } = renderHook(() => [
      useMcp({ url: WORLD_URL, environment }),
      useMcp({ url: WORLD_URL, environment }),
    ]);
    await settle(world);
    expect(result.current.map(({ state }) => state)).toEqual(['ready', 'ready']);
    expect(opened(world)).toBe(2);
    await act(async () => result.current[0]?.disconnect());
    expect(result.current.map(({ idle }) => idle)).toEqual([true, false]);
  });

  it('R124 renders for a line of the log only where the log is read', async () => {
    const world = createServerWorld();
    const { environment } = world.tab;
    let renders = 0;
    const plain = renderHook(() => {
      renders += 1;
      return useMcp({ url: WORLD_URL, environment });
    });
    const reading = renderHook(() => {
      const server = useMcp({ url: WORLD_URL, environment });
      return { server, lines: server.log.length };
    });
    await settle(world);
    const before = { renders, lines: reading.result.current.lines };
    for (let count = 0; count < 3; count++) {
      await act(() => reading.result.current.server.callTool('echo'));
      await act(() => plain.result.current.callTool('echo'));
      await settle(world);
    }
    expect(reading.result.current.lines).toBeGreaterThanOrEqual(before.lines + 3);
    expect([plain.result.current.state, renders]).toEqual(['ready', before.renders]);
  });
});

/** A server whose tool `hold` answers when the test lets it. */
function holdingServer(held: Promise<void> = new Promise(() => undefined)) {
  return () => {
    const server = echoServer();
    server.registerTool('hold', {}, async () => {
      await held;
      return { content: [{ type: 'text', text: 'held' }] };
    });
    return server;
  };
}

function quiet() {
  return { error: vi.spyOn(console, 'error').mockImplementation(() => undefined) };
}
