import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedTransport } from '../../../testing/scripted-transport.ts';
import { createPeer } from './create-peer.ts';
import { createMemoryTransportPair } from './memory-transport.ts';
import type { PeerOptions } from './peer.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What was rejected without anybody to handle it while `run` went on. */
async function unhandledDuring(run: () => Promise<void>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    await run();
    await settled();
  } finally {
    process.off('unhandledRejection', note);
  }
  return unhandled;
}

async function started(options: Partial<PeerOptions> = {}) {
  const wire = createScriptedTransport();
  const clock = createManualClock();
  const errors: (Error & { code?: unknown; data?: unknown })[] = [];
  const peer = createPeer({ transport: wire, clock, ...options });
  peer.onerror = (error) => errors.push(error);
  return { peer, wire, clock, errors };
}

const rejecting = (): Promise<never> => Promise.reject(new TypeError('mine'));
const throwing = (): unknown => {
  throw new TypeError('mine');
};
const never = (): Promise<never> => new Promise(() => undefined);

describe('callbacks that are not ours', () => {
  it.each([
    ['throw', throwing],
    ['reject', rejecting],
    ['never settle', never],
  ])('may %s everywhere without harm to the conversation', async (_what, callback: () => unknown) => {
    const unhandled = await unhandledDuring(async () => {
      const { peer, wire } = await started({
        onRequest: () => 'served',
        onNotification: callback,
      });
      wire.onmessage = callback;
      wire.onclose = callback as () => void;
      wire.onerror = callback as () => void;
      let closes = 0;
      peer.onclose = () => {
        closes += 1;
        return callback();
      };
      peer.onerror = callback as () => void;
      await peer.start();
      const call = peer.request('m', {}, { onprogress: callback });
      wire.receive({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 1, progress: 1 },
      });
      wire.receive({ jsonrpc: '2.0', method: 'anything' });
      wire.receive({ jsonrpc: '2.0', id: 9, method: 'm' });
      wire.receive({ jsonrpc: '2.0', id: 77, result: {} });
      wire.receive('nonsense');
      wire.onerror?.(new TypeError('fault'));
      wire.receive({ jsonrpc: '2.0', id: 1, result: 'fine' });
      expect(await call).toBe('fine');
      expect(wire.sent).toHaveLength(2);
      await peer.close();
      expect(closes).toBe(1);
    });
    expect(unhandled).toEqual([]);
  });

  it('may return a broken promise: the request is answered all the same', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- that it is one is the point
    const hostile = { then: throwing };
    const { peer, wire } = await started({ onRequest: () => hostile });
    await peer.start();
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'm' });
    await expect.poll(() => wire.sent).toMatchObject([{ id: 1, error: { code: -32603 } }]);
  });

  it('a transport that never closes keeps no call waiting', async () => {
    const { peer, wire } = await started();
    await peer.start();
    wire.close = never;
    const call = peer.request('m').catch((error: unknown) => error);
    void peer.close();
    expect(await call).toMatchObject({ code: 'connection_closed' });
  });
});

describe('results that cannot be sent', () => {
  it('are answered with an internal error, so that the caller does not wait for its limit', async () => {
    const [left, right] = createMemoryTransportPair();
    const clock = createManualClock();
    let deep: unknown = 1;
    for (let level = 0; level < 600; level += 1) deep = [deep];
    const server = createPeer({ transport: right, clock, onRequest: () => Promise.resolve({ deep }) });
    const faults: Error[] = [];
    server.onerror = (error) => faults.push(error);
    const client = createPeer({ transport: left, clock });
    await Promise.all([client.start(), server.start()]);
    await expect(client.request('m')).rejects.toMatchObject({ code: -32603 });
    expect(faults).toMatchObject([{ code: 'too_deep' }]);
    await expect(client.request('m', { deep })).rejects.toMatchObject({ code: 'too_deep' });
    expect(client.pendingCount + server.inFlightCount).toBe(0);
  });
});

describe('ids used twice', () => {
  it('leave a cancel without meaning: both may be meant, so neither is stopped', async () => {
    let finish: (value: string) => void = () => undefined;
    const { peer, wire, errors } = await started({
      onRequest: (_request, { signal }) =>
        new Promise((resolve, reject) => {
          finish = resolve;
          signal.addEventListener('abort', () => reject(new TypeError('stopped')));
        }),
    });
    await peer.start();
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'first' });
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'second' });
    wire.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    finish('first');
    await settled();
    expect(errors).toMatchObject([{ code: 'duplicate_request' }]);
    expect(wire.sent).toEqual([{ jsonrpc: '2.0', id: 1, result: 'first' }]);
  });
});
