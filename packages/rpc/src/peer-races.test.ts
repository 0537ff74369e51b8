import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createPeer } from './create-peer.ts';
import { createMemoryTransportPair } from './memory-transport.ts';
import type { JSONRPCMessage } from './message.ts';
import type { Peer, PeerOptions } from './peer.ts';

interface Linked {
  client: Peer;
  server: Peer;
  /** Everything that arrived at the client. */
  toClient: JSONRPCMessage[];
  /** Sends to the client past the server's peer. */
  say: (method: string, params: Record<string, unknown>) => void;
  errors: Error[];
}

async function linked(server: Partial<PeerOptions>, client: Partial<PeerOptions> = {}): Promise<Linked> {
  const [left, right] = createMemoryTransportPair();
  const clock = createManualClock();
  const errors: Error[] = [];
  const toClient: JSONRPCMessage[] = [];
  left.onmessage = (message) => toClient.push(message);
  const peers = {
    client: createPeer({ transport: left, clock, ...client }),
    server: createPeer({ transport: right, clock, ...server }),
  };
  for (const peer of [peers.client, peers.server]) peer.onerror = (error) => errors.push(error);
  await Promise.all([peers.client.start(), peers.server.start()]);
  const say: Linked['say'] = (method, params) => void right.send({ jsonrpc: '2.0', method, params });
  return { ...peers, toClient, errors, say };
}

describe('cancel against answer', () => {
  it('W68 sends at most one answer and harms neither side, in any order', async () => {
    /** Microtasks before the handler ends, and before the caller gives up. */
    const order = fc.record({ handlerTurns: fc.nat(6), cancelTurns: fc.nat(6), throws: fc.boolean() });
    const turns = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
    };
    const property = fc.asyncProperty(order, async ({ handlerTurns, cancelTurns, throws }) => {
      const { client, server, toClient, errors } = await linked({
        onRequest: async () => {
          await turns(handlerTurns);
          if (throws) throw new TypeError('handler');
          return 'done';
        },
      });
      const controller = new AbortController();
      const call = client.request('m', {}, { signal: controller.signal }).then(
        () => 'answered',
        (error: unknown) => (error as { code?: unknown }).code,
      );
      await turns(cancelTurns);
      controller.abort();
      expect(['answered', 'aborted', -32603]).toContain(await call);
      await turns(20);
      expect(toClient.length).toBeLessThanOrEqual(1);
      expect(errors).toEqual([]);
      expect(server.inFlightCount + client.pendingCount).toBe(0);
      const next = client.request('m').then(
        () => 'answered',
        (error: unknown) => (error as { code?: unknown }).code,
      );
      expect(await next).toBe(throws ? -32603 : 'answered');
      await client.close();
    });
    await fc.assert(property, { seed: 8, numRuns: 1000 });
  });
});

describe('progress against answer', () => {
  it('W74 drops what crosses the end of its call, reports invented tokens, and works towards a server', async () => {
    const seen: number[] = [];
    const { client, server, errors, say } = await linked(
      {
        onRequest: async (_request, context) => {
          context.progress({ progress: 1 });
          // The answer overtakes this one: it is sent once the call has ended.
          queueMicrotask(() => {
            const late = { progressToken: context.id, progress: 2 };
            queueMicrotask(() => say('notifications/progress', late));
          });
          return 'done';
        },
      },
      {
        onRequest: (_request, context) => {
          context.progress({ progress: 5 });
          return Promise.resolve('rooted');
        },
      },
    );
    const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
    expect(await client.request('m', {}, { onprogress })).toBe('done');
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([]);
    say('notifications/progress', { progressToken: 'invented', progress: 1 });
    expect(errors).toMatchObject([{ code: 'unknown_progress' }]);
    expect(await server.request('roots/list', {}, { onprogress })).toBe('rooted');
    expect(await client.request('m', {}, { onprogress })).toBe('done');
    expect(seen).toEqual([1, 5, 1]);
  });
});
