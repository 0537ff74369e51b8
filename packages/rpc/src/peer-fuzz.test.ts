import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { type ScriptedTransport, createScriptedTransport } from '../../../testing/scripted-transport.ts';
import { createPeer } from './create-peer.ts';
import { ProtocolError } from './errors.ts';
import { isJSONRPCMessage, isJSONRPCRequest, isJSONRPCResponse } from './message.ts';
import type { Peer } from './peer.ts';

const ids = fc.oneof(
  fc.constantFrom<unknown>(0, '', '0', 1, '1', null, undefined, 1.5, true, [], {}),
  fc.nat(),
  fc.string(),
);
const methods = fc.oneof(
  fc.constantFrom<unknown>('now', 'later', 'throw', 'reject', 'hang', 'progress', 'ask'),
  fc.constantFrom<unknown>('notifications/cancelled', 'notifications/progress', '__proto__'),
  fc.anything(),
);
const params = fc.oneof(
  fc.constant(undefined),
  fc.record({ requestId: ids, reason: fc.anything() }),
  fc.record({ progressToken: ids, progress: fc.anything(), total: fc.anything() }),
  fc.record({ _meta: fc.oneof(fc.record({ progressToken: ids }), fc.anything()) }),
  fc.anything(),
);
const messages = fc.oneof(
  fc.record(
    {
      jsonrpc: fc.oneof({ weight: 20, arbitrary: fc.constant<unknown>('2.0') }, fc.anything()),
      id: ids,
      method: methods,
      params,
    },
    { requiredKeys: ['jsonrpc', 'method'] },
  ),
  fc.record({ jsonrpc: fc.constant('2.0'), id: ids, result: fc.anything() }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: ids, error: fc.anything() }),
  fc.anything(),
);

/** Counts what became of every handler run. */
interface Tally {
  runs: number;
  open: number;
  cancelled: number;
  duplicates: number;
}

function fuzzedPeer(wire: ScriptedTransport, tally: Tally): Peer {
  const peer = createPeer({
    transport: wire,
    clock: createManualClock(),
    limits: { maxPending: 5000 },
    onRequest: ({ method }, context) => {
      tally.runs += 1;
      tally.open += 1;
      context.signal.addEventListener('abort', () => {
        tally.cancelled += 1;
        tally.open -= 1;
      });
      if (method === 'hang') return new Promise(() => undefined);
      tally.open -= 1;
      context.signal.addEventListener('abort', () => (tally.open += 1));
      if (method === 'throw') throw new TypeError('thrown');
      if (method === 'reject') return Promise.reject(new ProtocolError(-32602, 'no'));
      if (method === 'progress') context.progress({ progress: 1 });
      if (method === 'ask') void context.request('q').catch(() => undefined);
      return method === 'now' ? { now: true } : Promise.resolve({});
    },
    onNotification: ({ method }) => (method === 'throw' ? Promise.reject(new TypeError('note')) : undefined),
  });
  peer.onerror = (error) => {
    if ('code' in error && error.code === 'duplicate_request') tally.duplicates += 1;
    throw new TypeError('bad reporter');
  };
  return peer;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('a peer under random traffic', () => {
  it('throws nothing, answers every valid request once, and serves on', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    const wire = createScriptedTransport();
    const tally: Tally = { runs: 0, open: 0, cancelled: 0, duplicates: 0 };
    const peer = fuzzedPeer(wire, tally);
    await peer.start();
    const calls = Array.from({ length: 20 }, () => peer.request('m').catch(() => undefined));

    let valid = 0;
    for (const message of fc.sample(messages, { seed: 20_260_728, numRuns: 5000 })) {
      if (isJSONRPCRequest(message)) valid += 1;
      wire.receive(message);
      if (valid % 7 === 0) await Promise.resolve();
    }
    await settle();

    expect(valid).toBeGreaterThan(300);
    expect(valid).toBe(tally.runs + tally.duplicates);
    expect(wire.sent.every(isJSONRPCMessage)).toBe(true);
    const answers = wire.sent.filter((message) => isJSONRPCResponse(message));
    // Handlers never use this code, so it marks answers to malformed requests.
    const refusals = answers.filter((answer) => 'error' in answer && answer.error.code === -32600);
    expect(answers.length - refusals.length).toBe(tally.runs - tally.open - tally.cancelled);
    expect(peer.inFlightCount).toBe(tally.open);

    const last = peer.request('alive');
    wire.receive({ jsonrpc: '2.0', id: peer.nextRequestId - 1, result: 'yes' });
    expect(await last).toBe('yes');
    await peer.close();
    await Promise.all(calls);
    await settle();
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
    expect(peer.pendingCount + peer.inFlightCount).toBe(0);
  });
});
