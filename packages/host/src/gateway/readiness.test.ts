import type { Connections } from '@portico/connections';
import { describe, expect, it } from 'vitest';
import type { ConnectorRegistry } from './connector-registry.ts';
import { createReadiness } from './readiness.ts';

/** One account whose state is set by hand; every setting is told to who listens. */
function openAccount() {
  const state = { status: 'ready', wantsMore: true, enabled: true };
  const listeners = new Set<() => void>();
  const connections = {
    get: () => ({ status: state.status }),
    subscribeTo(_id: string, listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Connections;
  const registry = { find: () => ({ enabled: state.enabled }) } as unknown as ConnectorRegistry;
  const readiness = createReadiness({ connections, registry, wantsMore: () => state.wantsMore });
  return {
    readiness,
    listeners,
    set: (change: Partial<typeof state>) => {
      Object.assign(state, change);
      for (const listener of listeners) listener();
    },
  };
}

/** How a wait stands once everything that is due has happened. */
async function endOf(wait: Promise<string>): Promise<string | undefined> {
  return await Promise.race([wait, new Promise<undefined>((resolve) => setImmediate(resolve, undefined))]);
}

describe('an account that was refused a part', () => {
  it('K47 is waited for until the person allowed it and it is connected anew, in this order', async () => {
    const { readiness, set, listeners } = openAccount();
    const wait = readiness.untilGranted('a', new AbortController().signal);
    // The line broke and came back by itself: nobody has allowed anything.
    set({ status: 'connecting' });
    set({ status: 'ready' });
    expect(await endOf(wait)).toBeUndefined();
    set({ wantsMore: false, status: 'connecting' });
    expect(await endOf(wait)).toBeUndefined();
    set({ status: 'ready' });
    expect([await endOf(wait), listeners.size]).toEqual(['ready', 0]);
  });

  it('K47 is not used on a connection that is about to end', async () => {
    const { readiness, set } = openAccount();
    const wait = readiness.untilGranted('a', new AbortController().signal);
    set({ wantsMore: false });
    expect(await endOf(wait)).toBeUndefined();
    set({ status: 'connecting' });
    set({ status: 'ready' });
    expect(await endOf(wait)).toBe('ready');
  });

  it('K47 is waited for no longer when it is switched off, or nobody waits', async () => {
    const off = openAccount();
    const wait = off.readiness.untilGranted('a', new AbortController().signal);
    off.set({ enabled: false });
    expect(await endOf(wait)).toBe('gone');
    const left = openAccount();
    const caller = new AbortController();
    const leaving = left.readiness.untilGranted('a', caller.signal);
    caller.abort();
    expect([await endOf(leaving), left.listeners.size]).toEqual(['aborted', 0]);
  });
});
