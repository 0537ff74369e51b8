import { act, render, renderHook, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { describe, expect, it } from 'vitest';
import { useConnections } from './use-connections.ts';

type Snapshot = ReadonlyMap<string, { readonly status: string; readonly tools: readonly string[] }>;

function createStore(initial: Snapshot) {
  let snapshot = initial;
  const listeners = new Set<() => void>();
  return {
    listeners,
    getSnapshot: () => snapshot,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(id: string, state: { status: string; tools: readonly string[] }) {
      snapshot = new Map(snapshot).set(id, state);
      for (const listener of listeners) listener();
    },
  };
}

describe('useConnections', () => {
  it('renders again only when the selected part changes', () => {
    const store = createStore(new Map([['a', { status: 'idle', tools: [] }]]));
    let renders = 0;
    const { result } = renderHook(() => {
      renders += 1;
      return useConnections(store, (snapshot) => snapshot.get('a')?.status);
    });
    act(() => store.set('b', { status: 'ready', tools: [] }));
    act(() => store.set('a', { status: 'idle', tools: ['x'] }));
    expect([result.current, renders]).toEqual(['idle', 1]);
    act(() => store.set('a', { status: 'ready', tools: ['x'] }));
    expect([result.current, renders]).toEqual(['ready', 2]);
  });

  it('takes a selector that builds a new value each time, given what compares it', () => {
    const store = createStore(new Map([['a', { status: 'idle', tools: ['x'] }]]));
    let renders = 0;
    const sameText = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
    const { result } = renderHook(() => {
      renders += 1;
      return useConnections(
        store,
        (snapshot) => [...snapshot.values()].flatMap(({ tools }) => tools),
        sameText,
      );
    });
    act(() => store.set('a', { status: 'ready', tools: ['x'] }));
    expect([result.current, renders]).toEqual([['x'], 1]);
    act(() => store.set('a', { status: 'ready', tools: ['x', 'y'] }));
    expect([result.current, renders]).toEqual([['x', 'y'], 2]);
  });

  it('follows a new selector and a new store at once', () => {
    const first = createStore(new Map([['a', { status: 'idle', tools: [] }]]));
    const second = createStore(new Map([['a', { status: 'failed', tools: [] }]]));
    const { result, rerender } = renderHook(
      ({ store, id }) => useConnections(store, (snapshot) => snapshot.get(id)?.status ?? 'none'),
      { initialProps: { store: first, id: 'a' } },
    );
    rerender({ store: first, id: 'b' });
    expect(result.current).toBe('none');
    rerender({ store: second, id: 'a' });
    expect(result.current).toBe('failed');
    expect(first.listeners.size).toBe(0);
  });

  it('leaves no listener behind, in strict mode too', () => {
    const store = createStore(new Map([['a', { status: 'idle', tools: [] }]]));
    const Status = () => <p>{useConnections(store, (snapshot) => snapshot.get('a')?.status)}</p>;
    const { unmount } = render(
      <StrictMode>
        <Status />
      </StrictMode>,
    );
    expect(screen.getByText('idle')).toBeDefined();
    expect(store.listeners.size).toBe(1);
    unmount();
    expect(store.listeners.size).toBe(0);
  });
});
