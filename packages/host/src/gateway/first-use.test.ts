import type { ConnectionState, Connections } from '@portico/connections';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createViewRequests } from '../views/view-requests.ts';
import type { ConnectorRegistry } from './connector-registry.ts';
import { createFirstUse } from './first-use.ts';
import { createReadiness } from './readiness.ts';

/** Connectors that are opened for as long as the test wants, beside one that is set to start with Portico. */
function bench() {
  const clock = createManualClock();
  const states = new Map<string, Partial<ConnectionState>>([
    ['a', { status: 'idle' }],
    ['b', { status: 'idle' }],
    ['usual', { status: 'connecting' }],
  ]);
  const listeners = new Map<string, Set<() => void>>();
  const connected: string[] = [];
  const set = (id: string, state: Partial<ConnectionState>): void => {
    states.set(id, state);
    for (const listener of listeners.get(id) ?? []) listener();
  };
  const connections = {
    get: (id: string) => states.get(id),
    connect: (id: string) => {
      connected.push(id);
      set(id, { status: 'connecting' });
      return Promise.resolve(states.get(id));
    },
    subscribeTo(id: string, listener: () => void) {
      listeners.set(id, (listeners.get(id) ?? new Set()).add(listener));
      return () => listeners.get(id)?.delete(listener);
    },
  } as unknown as Connections;
  const find = (id: string) => ({
    id,
    enabled: true,
    starts: id === 'usual' ? 'with_portico' : 'at_first_use',
  });
  const registry = { find, records: () => [...states.keys()].map(find) } as unknown as ConnectorRegistry;
  const waiting = () => [...listeners.values()].reduce((count, { size }) => count + size, 0);
  const firstUse = createFirstUse({ connections, registry, clock });
  return { clock, connections, registry, firstUse, connected, set, waiting };
}

/** Whether a promise is settled once everything that is due has happened. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  const over = promise.then(() => true);
  return await Promise.race([over, new Promise<false>((resolve) => setImmediate(resolve, false))]);
}

describe('a first use', () => {
  it('K32 starts a connector once, and everybody who wants it waits for that', async () => {
    const { firstUse, connected, set, waiting } = bench();
    const uses = [firstUse.begin('a'), firstUse.begin('a'), firstUse.begin('a')];
    expect([connected, await isOver(Promise.any(uses))]).toEqual([['a'], false]);
    set('a', { status: 'ready' });
    expect([await isOver(Promise.all(uses)), waiting(), connected]).toEqual([true, 0, ['a']]);
    // What is open, or comes back by itself after trouble, is waited for no more.
    expect(await isOver(firstUse.begin('a'))).toBe(true);
    set('a', { status: 'connecting', retryAtMs: 5_000 });
    expect(await isOver(firstUse.begin('a'))).toBe(true);
  });

  it('K28 K32 waits for no connector that starts with Portico, and for all others together', async () => {
    const { firstUse, connected, set } = bench();
    expect(await isOver(firstUse.begin('usual'))).toBe(true);
    const all = firstUse.beginAll();
    expect(connected).toEqual(['a', 'b']);
    set('a', { status: 'ready' });
    expect(await isOver(all)).toBe(false);
    set('b', { status: 'failed' });
    expect(await isOver(all)).toBe(true);
  });

  it('K32 ends with its time and with who wanted it, while the start goes on', async () => {
    const { firstUse, clock, waiting, connected } = bench();
    const call = firstUse.begin('a');
    const list = firstUse.begin('a', { limitMs: 10_000 });
    const caller = new AbortController();
    const cancelled = firstUse.begin('a', { signal: caller.signal });
    caller.abort();
    await clock.advance(10_000);
    expect([await isOver(cancelled), await isOver(list), await isOver(call)]).toEqual([true, true, false]);
    await clock.advance(50_000);
    expect([await isOver(call), waiting(), connected]).toEqual([true, 0, ['a']]);
  });

  it('K32 K46 is a wait for a sign-in that began before a restart of the host', () => {
    const { connections, registry, connected } = bench();
    const readiness = createReadiness({ connections, registry, wantsMore: () => false });
    void readiness.untilReady('a', new AbortController().signal);
    expect(connected).toEqual(['a']);
  });

  it('K32 is a call of a view, whose tools are looked at afterwards', async () => {
    const { firstUse, set } = bench();
    const listed: string[] = [];
    const requests = createViewRequests({
      connectors: {
        record: () => ({}) as never,
        tools: (id) => {
          listed.push(id);
          return [];
        },
      },
      connections: { request: () => Promise.resolve({}) },
      calls: { callTool: () => Promise.resolve({ content: [] }) },
      firstUse,
    });
    const params = { name: 'who', arguments: {} };
    const answer = requests.answer('a', { method: 'tools/call', params }, new AbortController().signal);
    expect([await isOver(answer), listed]).toEqual([false, []]);
    set('a', { status: 'ready' });
    expect([await isOver(answer), listed]).toEqual([true, ['a']]);
  });
});
