import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { type ScriptedTransport, createScriptedTransport } from '../../../testing/scripted-transport.ts';
import { createPeer } from './create-peer.ts';
import { ProtocolError } from './errors.ts';
import { createMemoryTransportPair } from './memory-transport.ts';
import type { JSONRPCNotification } from './message.ts';
import type { Peer, PeerOptions, RequestContext } from './peer.ts';

interface Setup {
  peer: Peer;
  wire: ScriptedTransport;
  errors: Error[];
}

async function started(options: Partial<PeerOptions> = {}): Promise<Setup> {
  const wire = createScriptedTransport();
  const errors: Error[] = [];
  const peer = createPeer({ transport: wire, clock: createManualClock(), ...options });
  peer.onerror = (error) => errors.push(error);
  await peer.start();
  return { peer, wire, errors };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('requests', () => {
  it('resolves with the result of the answer that has its id', async () => {
    const { peer, wire } = await started();
    const first = peer.request('a', { x: 1 });
    const second = peer.request('b');
    expect(wire.sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: { x: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'b' },
    ]);
    wire.receive({ jsonrpc: '2.0', id: 2, result: 'two' });
    wire.receive({ jsonrpc: '2.0', id: 1, result: { one: true } });
    expect(await Promise.all([first, second])).toEqual([{ one: true }, 'two']);
    expect(peer.pendingCount).toBe(0);
  });

  it('rejects with the code, message and data of an error answer', async () => {
    const { peer, wire } = await started();
    const call = peer.request('a');
    const error = { code: -32602, message: 'bad', data: { why: [1] } };
    wire.receive({ jsonrpc: '2.0', id: 1, error });
    await expect(call).rejects.toMatchObject({ name: 'ProtocolError', ...error });
  });

  it('rejects with what the transport rejected with, or with send_failed', async () => {
    const { peer, wire } = await started();
    const failure = new TypeError('down');
    wire.sendFailure = failure;
    await expect(peer.request('a')).rejects.toBe(failure);
    wire.sendFailure = 'text';
    await expect(peer.request('b')).rejects.toMatchObject({ code: 'send_failed', cause: 'text' });
    expect(peer.pendingCount).toBe(0);
  });

  it('W4 matches ids by type and value, both ways, and hints at an answer of another type', async () => {
    const clock = createManualClock();
    const hanging: unknown[] = [];
    const { peer, wire, errors } = await started({
      clock,
      firstRequestId: 0,
      onRequest: ({ id }) => {
        hanging.push(id);
        return Promise.resolve({ id });
      },
    });
    const silent = peer.request('a').catch((error: unknown) => error);
    const answered = peer.request('b');
    wire.receive({ jsonrpc: '2.0', id: '0', result: {} });
    wire.receive({ jsonrpc: '2.0', id: 1, result: 'yes' });
    expect(await answered).toBe('yes');
    expect(errors).toMatchObject([{ code: 'unknown_response', data: { id: '0' } }]);
    await clock.advance(60_000);
    expect(await silent).toMatchObject({ code: 'request_timeout', data: { answeredAs: '0' } });

    wire.receive({ jsonrpc: '2.0', id: 1, method: 'm' });
    wire.receive({ jsonrpc: '2.0', id: '1', method: 'm' });
    expect(peer.inFlightCount).toBe(2);
    await settled();
    expect(hanging).toEqual([1, '1']);
    expect(wire.sent.slice(-2)).toEqual([
      { jsonrpc: '2.0', id: 1, result: { id: 1 } },
      { jsonrpc: '2.0', id: '1', result: { id: '1' } },
    ]);
  });

  it('reports a second answer and answers to ids never used', async () => {
    const { peer, wire, errors } = await started();
    const call = peer.request('a');
    wire.receive({ jsonrpc: '2.0', id: 1, result: 1 });
    wire.receive({ jsonrpc: '2.0', id: 1, result: 2 });
    wire.receive({ jsonrpc: '2.0', id: 99, result: 2 });
    wire.receive({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'broken' } });
    expect(await call).toBe(1);
    expect(errors.map((error) => (error as { code?: unknown }).code)).toEqual([
      'unknown_response',
      'unknown_response',
      'unknown_response',
    ]);
  });

  it('can go on with the ids of an earlier channel', async () => {
    const { peer, wire } = await started({ firstRequestId: 41 });
    const call = peer.request('a');
    wire.receive({ jsonrpc: '2.0', id: 41, result: 'x' });
    expect(await call).toBe('x');
    expect(peer.nextRequestId).toBe(42);
  });

  it('passes related id, headers and resumption on to the transport', async () => {
    const { peer, wire } = await started();
    const options = { relatedRequestId: 0, headers: { a: 'b' }, resumptionToken: 't' };
    void peer.request('a', {}, options);
    void peer.request('b', {}, { timeoutMs: 5 });
    expect(wire.sentOptions).toEqual([options, undefined]);
  });

  it('refuses to work before start and after close', async () => {
    const wire = createScriptedTransport();
    const peer = createPeer({ transport: wire, clock: createManualClock() });
    await expect(peer.request('a')).rejects.toMatchObject({ code: 'wrong_state' });
    await expect(peer.notify('a')).rejects.toMatchObject({ code: 'wrong_state' });
    await peer.start();
    await expect(peer.start()).rejects.toMatchObject({ code: 'wrong_state' });
    await peer.close();
    await expect(peer.request('a')).rejects.toMatchObject({ code: 'connection_closed' });
    await expect(peer.notify('a')).rejects.toMatchObject({ code: 'connection_closed' });
    expect(wire.sent).toEqual([]);
  });
});

describe('serving', () => {
  it('answers with what the handler returns, now or later', async () => {
    const { wire } = await started({
      onRequest: ({ method }) => (method === 'now' ? { n: 1 } : Promise.resolve(undefined)),
    });
    wire.receive({ jsonrpc: '2.0', id: 0, method: 'now' });
    wire.receive({ jsonrpc: '2.0', id: '', method: 'later' });
    await settled();
    expect(wire.sent).toEqual([
      { jsonrpc: '2.0', id: 0, result: { n: 1 } },
      { jsonrpc: '2.0', id: '', result: {} },
    ]);
  });

  it.each([
    [new ProtocolError(-32602, 'bad', { a: 1 }), { code: -32602, message: 'bad', data: { a: 1 } }],
    [new ProtocolError(1.5, 'odd'), { code: -32603, message: 'odd' }],
    [new TypeError('inner'), { code: -32603, message: 'inner' }],
    [Object.assign(new TypeError('node'), { code: 'ENOENT' }), { code: -32603, message: 'node' }],
    [Object.assign(new TypeError('dom'), { code: 20 }), { code: -32603, message: 'dom' }],
    ['text', { code: -32603, message: 'Internal error' }],
    [undefined, { code: -32603, message: 'Internal error' }],
  ])('turns a thrown %s into an error answer without a stack', async (thrown, error) => {
    const { wire } = await started({
      onRequest: () => {
        throw thrown;
      },
    });
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'm' });
    expect(wire.sent).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
  });

  it('answers -32601 without a handler', async () => {
    const { wire } = await started();
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'constructor' });
    expect(wire.sent).toMatchObject([{ id: 1, error: { code: -32601 } }]);
  });

  it('gives the handler meta, extra and a way to talk back', async () => {
    let seen: RequestContext | undefined;
    const { wire } = await started({
      onRequest: async (_request, context) => {
        seen = context;
        await context.notify('n', { a: 1 });
        return context.request('q');
      },
    });
    const extra = { authInfo: 'me' };
    const params = { _meta: { progressToken: 0, 'com.example/x': { y: 1 } } };
    wire.receive({ jsonrpc: '2.0', id: 7, method: 'm', params }, extra);
    await settled();
    expect(seen).toMatchObject({ id: 7, method: 'm', meta: params._meta, extra });
    expect(wire.sent).toEqual([
      { jsonrpc: '2.0', method: 'n', params: { a: 1 } },
      { jsonrpc: '2.0', id: 1, method: 'q' },
    ]);
    expect(wire.sentOptions).toEqual([{ relatedRequestId: 7 }, { relatedRequestId: 7 }]);
    wire.receive({ jsonrpc: '2.0', id: 1, result: 'answer' });
    await settled();
    expect(wire.sent[2]).toEqual({ jsonrpc: '2.0', id: 7, result: 'answer' });
  });

  it('drops and reports a request whose id is in use', async () => {
    const runs: string[] = [];
    const { wire, errors } = await started({
      onRequest: ({ method }) => {
        runs.push(method);
        return Promise.resolve(method);
      },
    });
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'first' });
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'second' });
    wire.receive({ jsonrpc: '2.0', id: '1', method: 'other' });
    await settled();
    expect(runs).toEqual(['first', 'other']);
    expect(wire.sent).toMatchObject([{ result: 'first' }, { result: 'other' }]);
    expect(errors).toMatchObject([{ code: 'duplicate_request' }]);
  });

  it('refuses requests over the limit and serves again below it', async () => {
    let finish: (value: unknown) => void = () => undefined;
    const { peer, wire } = await started({
      limits: { maxPending: 1 },
      onRequest: () => new Promise((resolve) => (finish = resolve)),
    });
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'm' });
    wire.receive({ jsonrpc: '2.0', id: 2, method: 'm' });
    expect(wire.sent).toMatchObject([{ id: 2, error: { code: -32603 } }]);
    expect(peer.inFlightCount).toBe(1);
    finish('done');
    await settled();
    wire.receive({ jsonrpc: '2.0', id: 3, method: 'm' });
    expect(wire.sent).toHaveLength(2);
    expect(peer.inFlightCount).toBe(1);
  });

  it('answers a malformed request that has a readable id, and only that', async () => {
    const { wire, errors } = await started({ onRequest: () => 'never' });
    wire.receive({ jsonrpc: '1.0', id: 5, method: 'm' });
    wire.receive({ jsonrpc: '2.0', id: 6, result: {}, error: {} });
    wire.receive({ jsonrpc: '2.0', id: null, method: 'm' });
    for (const value of [null, undefined, 3, 'x', [], {}]) wire.receive(value);
    expect(wire.sent).toMatchObject([{ id: 5, error: { code: -32600 } }]);
    expect(errors).toHaveLength(9);
  });
});

describe('notifications', () => {
  it('never answers one, whatever its handler does', async () => {
    const seen: JSONRPCNotification[] = [];
    const { wire, errors } = await started({
      onNotification: (notification) => {
        seen.push(notification);
        if (notification.method === 'throws') throw new TypeError('x');
        return notification.method === 'rejects' ? Promise.reject(new TypeError('y')) : undefined;
      },
    });
    for (const method of ['fine', 'throws', 'rejects']) wire.receive({ jsonrpc: '2.0', method });
    await settled();
    expect(seen.map(({ method }) => method)).toEqual(['fine', 'throws', 'rejects']);
    expect(wire.sent).toEqual([]);
    expect(errors).toMatchObject([{ code: 'callback_failed' }, { code: 'callback_failed' }]);
  });
});

describe('two peers in memory', () => {
  it('serve each other at once', async () => {
    const [left, right] = createMemoryTransportPair();
    const clock = createManualClock();
    const a = createPeer({ transport: left, clock, onRequest: ({ method }) => `a:${method}` });
    const b = createPeer({ transport: right, clock, onRequest: async ({ method }) => `b:${method}` });
    await Promise.all([a.start(), b.start()]);
    const calls = Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0 ? a.request(`m${String(index)}`) : b.request(`m${String(index)}`),
    );
    const answers = await Promise.all(calls);
    expect(answers[10]).toBe('b:m10');
    expect(answers[11]).toBe('a:m11');
    expect(clock.armed).toBe(0);
  });
});
