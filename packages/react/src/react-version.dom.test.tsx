import { act, render } from '@testing-library/react';
import { StrictMode, memo, version } from 'react';
import type { ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString, version as rendererVersion } from 'react-dom/server';
import { describe, expect, inject, it, vi } from 'vitest';
import { WORLD_URL, createServerWorld } from '../../../testing/managed-world.ts';
import { McpClientProvider, useMcp, useMcpClient, useMcpServer } from './index.ts';
import type { UseMcpClientResult, UseMcpResult } from './index.ts';
import { useMcpServerIds } from './observe.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The React that the project of the test runs with. */
    readonly reactMajor: number;
  }
}

const IDS = ['a', 'b', 'c'];
const address = (id: string): string => `${WORLD_URL}?id=${id}`;
const SERVERS = Object.fromEntries(IDS.map((id) => [id, { url: address(id) }]));
const major = inject('reactMajor');

function openPage() {
  const world = createServerWorld({ era: 'legacy' });
  const { environment } = world.tab;
  const renders: Record<string, number> = {};
  const held: { client?: UseMcpClientResult; own?: UseMcpResult } = {};
  const Row = memo(function Row({ id }: { readonly id: string }): ReactNode {
    renders[id] = (renders[id] ?? 0) + 1;
    const server = useMcpServer(id);
    return <li>{`${id} ${server?.displayName ?? ''} ${server?.state} ${server?.tools.length}`}</li>;
  });
  const Rows = (): ReactNode => {
    held.client = useMcpClient();
    return useMcpServerIds().map((id) => <Row key={id} id={id} />);
  };
  const Own = (): ReactNode => {
    held.own = useMcp({ url: address('own'), environment });
    return <output>{held.own.state}</output>;
  };
  const page = (
    <>
      <McpClientProvider environment={environment} mcpServers={SERVERS}>
        <Rows />
      </McpClientProvider>
      <Own />
    </>
  );
  const count = (line: string): number => world.lines().filter((found) => found === line).length;
  const left = () => [
    count('POST initialize') - count('DELETE -'),
    world.clock.armed,
    world.tab.page.listeners,
    world.tab.channels,
  ];
  return { world, page, renders, held, count, left, settle: () => act(() => world.settle()) };
}

describe(`with React ${major}`, () => {
  it(`R144 React ${major} takes over what a server rendered, connects each server once, calls, and leaves nothing`, async () => {
    expect([version, rendererVersion].map((text) => text.split('.')[0])).toEqual([`${major}`, `${major}`]);
    const error = vi.spyOn(console, 'error');
    const { world, page, held, count, left, settle } = openPage();
    const tree = <StrictMode>{page}</StrictMode>;
    const place = document.createElement('main');
    place.innerHTML = renderToString(tree);
    expect(world.sent).toEqual([]);
    expect(place.textContent).toBe('a  discovering 0b  discovering 0c  discovering 0discovering');
    const mismatches: unknown[] = [];
    const options = { onRecoverableError: (found: unknown) => void mismatches.push(found) };
    const root = await act(async () => hydrateRoot(place, tree, options));
    await settle();
    expect(place.textContent).toBe('a  ready 1b  ready 1c  ready 1ready');
    expect([count('POST initialize'), count('DELETE -'), mismatches]).toEqual([4, 0, []]);
    for (const server of [held.own, held.client?.getServer('b')]) {
      const { content } = (await server?.callTool('echo', { x: 1 })) ?? {};
      expect(content).toEqual([{ type: 'text', text: '{"x":1}' }]);
    }
    act(() => root.unmount());
    await settle();
    expect(left()).toEqual([0, 0, 0, 0]);
    expect(error).not.toHaveBeenCalled();
    error.mockRestore();
  });

  it(`R144 React ${major} renders what changed, and nothing else`, async () => {
    const { page, renders, held, left, settle } = openPage();
    const { unmount } = render(page);
    await settle();
    const before = { ...renders };
    for (const id of IDS) expect(before[id], id).toBeLessThanOrEqual(3);
    await act(async () => held.client?.updateServer('b', { displayName: 'Bee' }));
    expect(renders).toEqual({ ...before, b: (before['b'] ?? 0) + 1 });
    await act(async () => held.client?.getServer('a')?.callTool('echo'));
    expect(renders).toEqual({ ...before, b: (before['b'] ?? 0) + 1 });
    unmount();
    await settle();
    expect(left()).toEqual([0, 0, 0, 0]);
  });
});
