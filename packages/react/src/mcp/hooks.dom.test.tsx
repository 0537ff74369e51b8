import { act, render } from '@testing-library/react';
import { Component, StrictMode, Suspense, memo, startTransition, useState } from 'react';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createGate } from '../../../../testing/gate.ts';
import { WORLD_URL, createServerWorld } from '../../../../testing/managed-world.ts';
import type { ServerWorld } from '../../../../testing/managed-world.ts';
import { McpClientProvider } from './mcp-client-provider.tsx';
import { useMcp } from './use-mcp.ts';
import { useMcpClient } from './use-mcp-client.ts';
import { useMcpServer } from './use-mcp-server.ts';
import { useRpcLog } from './use-rpc-log.ts';
import type { UseRpcLogResult } from './use-rpc-log.ts';
import { useMcpServerIds } from './use-mcp-server-ids.ts';

const settle = (world: ServerWorld): Promise<void> => act(() => world.settle());
const address = (id: string): string => `${WORLD_URL}?id=${id}`;
const named = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, { url: address(id) }]));

function provide(world: ServerWorld, ids: readonly string[], children: ReactNode): ReactNode {
  return (
    <McpClientProvider environment={world.tab.environment} mcpServers={named(...ids)}>
      {children}
    </McpClientProvider>
  );
}

describe('the hooks below a provider', () => {
  it('R141 R133 render a row for its own server only, and what uses functions only never', async () => {
    const world = createServerWorld({ era: 'legacy' });
    const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
    const renders: Record<string, number> = {};
    const count = (name: string): void => void (renders[name] = (renders[name] ?? 0) + 1);
    const Row = memo(function Row({ id }: { readonly id: string }) {
      count(id);
      return <p>{useMcpServer(id)?.state}</p>;
    });
    let update: (id: string) => Promise<void> = () => Promise.resolve();
    const Functions = (): ReactNode => {
      const { updateServer } = useMcpClient();
      count('functions');
      update = (id) => updateServer(id, { displayName: `${renders[id]}` });
      return null;
    };
    const List = (): ReactNode => {
      count('list');
      return useMcpClient().servers.length;
    };
    const Ids = (): ReactNode => {
      count('ids');
      return useMcpServerIds().map((id) => <Row key={id} id={id} />);
    };
    const { unmount } = render(
      provide(world, ids, [<Ids key="1" />, <List key="2" />, <Functions key="3" />]),
    );
    await settle(world);
    for (const id of ids) expect(renders[id], id).toBeLessThanOrEqual(3);
    const before = { ...renders };
    await act(() => update('s3'));
    expect(renders).toEqual({ ...before, s3: (before['s3'] ?? 0) + 1, list: (before['list'] ?? 0) + 1 });
    expect([renders['functions'], renders['ids']]).toEqual([1, 1]);
    unmount();
    await settle(world);
  });

  it('R141 render a selected part only when it is another one', async () => {
    const world = createServerWorld();
    let renders = 0;
    let names: readonly string[] = [];
    const sameTexts = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join();
    const Part = (): ReactNode => {
      renders += 1;
      names = useMcpServer('a', (server) => server?.tools.map(({ name }) => name) ?? [], sameTexts);
      return null;
    };
    let update: () => Promise<void> = () => Promise.resolve();
    const Functions = (): ReactNode => {
      const { updateServer } = useMcpClient();
      update = () => updateServer('a', { displayName: 'A' });
      return null;
    };
    const { unmount } = render(provide(world, ['a'], [<Part key="1" />, <Functions key="2" />]));
    await settle(world);
    expect([names, renders]).toEqual([['echo'], 2]);
    await act(() => update());
    expect([names, renders]).toEqual([['echo'], 2]);
    unmount();
    await settle(world);
  });

  it('R133 follow a changed id, and know no other', async () => {
    const world = createServerWorld();
    const Part = ({ id }: { readonly id: string }): ReactNode => useMcpServer(id)?.url ?? 'none';
    const { container, rerender, unmount } = render(provide(world, ['a', 'b'], <Part id="a" />));
    expect(container.textContent).toBe(address('a'));
    rerender(provide(world, ['a', 'b'], <Part id="b" />));
    expect(container.textContent).toBe(address('b'));
    rerender(provide(world, ['a', 'b'], <Part id="__proto__" />));
    expect(container.textContent).toBe('none');
    unmount();
    await settle(world);
  });

  it('R126 read, follow and clear what goes over the wire, where that is recorded', async () => {
    const world = createServerWorld({ era: 'legacy' });
    const logs: Record<string, UseRpcLogResult> = {};
    const Log = ({ name, id }: { readonly name: string; readonly id?: string }): ReactNode => {
      logs[name] = useRpcLog(id);
      return null;
    };
    const { unmount } = render(
      <>
        <McpClientProvider environment={world.tab.environment} mcpServers={named('a', 'b')} enableRpcLogging>
          <Log name="a" id="a" />
          <Log name="all" />
        </McpClientProvider>
        <McpClientProvider environment={world.tab.environment} mcpServers={named('a')}>
          <Log name="off" />
        </McpClientProvider>
      </>,
    );
    await settle(world);
    const seen = logs['a']?.entries.map(({ direction, message }) => [
      direction,
      'method' in message ? message.method : 'answer',
    ]);
    expect(seen?.slice(0, 3)).toEqual([
      ['sent', 'server/discover'],
      ['received', 'answer'],
      ['sent', 'initialize'],
    ]);
    expect(logs['a']?.entries.every(({ serverId }) => serverId === 'a')).toBe(true);
    expect(logs['all']?.entries).toHaveLength(2 * (seen?.length ?? 0));
    expect(logs['off']?.entries).toEqual([]);
    act(() => logs['a']?.clear());
    expect([logs['a']?.entries.length, logs['all']?.entries.length]).toEqual([0, seen?.length]);
    unmount();
    await settle(world);
  });

  it.each([
    ['useRpcLog', () => useRpcLog()],
    ['useMcpClient', () => useMcpClient()],
    ['useMcpServer', () => useMcpServer('a')],
    ['useMcpServerIds', () => useMcpServerIds()],
  ])('R133 throw no_provider where there is none: %s', (_name, useHook) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const Part = (): ReactNode => {
      useHook();
      return null;
    };
    expect(() => render(<Part />)).toThrow(expect.objectContaining({ code: 'no_provider' }));
    error.mockRestore();
  });
});

describe('rendering', () => {
  it('R142 R6 touches nothing of the world: not when it is thrown away, and not when it waits', async () => {
    const world = createServerWorld();
    const touched: PropertyKey[] = [];
    const environment = new Proxy(world.tab.environment, {
      get(target, name, receiver): unknown {
        touched.push(name);
        return Reflect.get(target, name, receiver);
      },
    });
    const never = createGate();
    const Waiting = (): ReactNode => {
      useMcp({ url: WORLD_URL, environment });
      never.pass();
      return null;
    };
    const Broken = (): ReactNode => {
      useMcp({ url: WORLD_URL, environment });
      throw new TypeError('this render comes to nothing');
    };
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { unmount } = render(
      <StrictMode>
        <Suspense fallback="waits">
          <McpClientProvider environment={environment} mcpServers={named('a')}>
            <Waiting />
          </McpClientProvider>
        </Suspense>
        <Boundary>
          <Broken />
        </Boundary>
      </StrictMode>,
    );
    await settle(world);
    unmount();
    await settle(world);
    const reads = new Set<PropertyKey>(['clock', 'random', 'console']);
    expect(touched.filter((name) => !reads.has(name))).toEqual([]);
    expect([world.sent, world.clock.armed, world.tab.page.listeners]).toEqual([[], 0, 0]);
    error.mockRestore();
  });

  it('R142 shows the same in all rows of one paint under a transition', async () => {
    const world = createServerWorld();
    let go = (): void => undefined;
    const paints: string[] = [];
    const Row = (): ReactNode => <i>{useMcpServer('a')?.displayName ?? '-'}</i>;
    let update: (name: string) => Promise<void> = () => Promise.resolve();
    const Rows = (): ReactNode => {
      const [count, setCount] = useState(1);
      const { updateServer } = useMcpClient();
      update = (displayName) => updateServer('a', { displayName });
      go = () => startTransition(() => setCount(40));
      return Array.from({ length: count }, (_, index) => <Row key={index} />);
    };
    const { container, unmount } = render(provide(world, ['a'], <Rows />));
    const observer = new MutationObserver(() => paints.push(container.textContent));
    observer.observe(container, { subtree: true, childList: true, characterData: true });
    await settle(world);
    await act(async () => {
      go();
      await update('x');
      await update('y');
    });
    observer.disconnect();
    expect(container.textContent).toBe('y'.repeat(40));
    for (const paint of paints) expect(new Set(paint).size, paint).toBe(1);
    unmount();
    await settle(world);
  });
});

class Boundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override render(): ReactNode {
    return this.state.failed ? 'failed' : this.props.children;
  }
}
