import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedTransport } from '../../../testing/scripted-transport.ts';
import { createPeer } from './create-peer.ts';
import type { PeerOptions, Progress, RequestContext } from './peer.ts';

async function started(options: Partial<PeerOptions> = {}) {
  const wire = createScriptedTransport();
  const clock = createManualClock();
  const errors: Error[] = [];
  const peer = createPeer({ transport: wire, clock, ...options });
  peer.onerror = (error) => errors.push(error);
  await peer.start();
  return { peer, wire, clock, errors };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const progressOf = (progressToken: unknown, progress: number): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress, total: 10, message: 'on it' },
});

describe('answers that are none', () => {
  it.each([
    { jsonrpc: '2.0', id: 1, error: 'boom' },
    { jsonrpc: '2.0', id: 1, error: { code: 'x', message: 5 } },
    { jsonrpc: '1.0', id: 1, result: {} },
  ])('end the call that %j is for at once', async (answer) => {
    const { peer, wire, clock, errors } = await started();
    const call = peer.request('m').catch((error: unknown) => error);
    wire.receive(answer);
    expect(await call).toMatchObject({ code: 'invalid_message', data: { answerTo: 1 } });
    expect([errors.length, peer.pendingCount, clock.armed, wire.sent.length]).toEqual([1, 0, 0, 1]);
  });

  it('end their call also where only the transport could read the id', async () => {
    const { peer, wire } = await started();
    const call = peer.request('m').catch((error: unknown) => error);
    const fault = Object.assign(new Error('too deep'), { data: { answerTo: 1 } });
    wire.onerror?.(fault);
    expect(await call).toBe(fault);
  });

  it('touch no other call', async () => {
    const { peer, wire } = await started();
    const call = peer.request('m');
    for (const id of [2, '1', null, {}]) wire.receive({ jsonrpc: '2.0', id, error: 'boom' });
    expect(peer.pendingCount).toBe(1);
    wire.receive({ jsonrpc: '2.0', id: 1, result: 'ok' });
    expect(await call).toBe('ok');
  });
});

describe('time limits', () => {
  it('ends a silent call at its limit and tells the peer once', async () => {
    const { peer, wire, clock } = await started();
    const call = peer.request('slow').catch((error: unknown) => error);
    await clock.advance(59_999);
    expect(peer.pendingCount).toBe(1);
    await clock.advance(1);
    expect(await call).toMatchObject({
      code: 'request_timeout',
      data: { timeoutMs: 60_000, method: 'slow', total: false },
    });
    expect(wire.sent.slice(1)).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: 1 } },
    ]);
    expect(clock.armed).toBe(0);
  });

  it('holds calls of one limit on a single timer', async () => {
    const { peer, wire, clock } = await started({ defaultTimeoutMs: 100 });
    const calls = [1, 2, 3].map(() => peer.request('m').catch((error: unknown) => error));
    await clock.advance(40);
    const late = peer.request('m').catch((error: unknown) => error);
    expect(clock.armed).toBe(1);
    wire.receive({ jsonrpc: '2.0', id: 1, result: 'ok' });
    await clock.advance(60);
    expect(await Promise.all(calls)).toMatchObject([
      'ok',
      { code: 'request_timeout' },
      { code: 'request_timeout' },
    ]);
    expect(peer.pendingCount).toBe(1);
    await clock.advance(40);
    expect(await late).toMatchObject({ code: 'request_timeout' });
  });

  it('starts the limit anew on progress only when asked to', async () => {
    const { peer, wire, clock } = await started();
    const options = { timeoutMs: 100, onprogress: () => undefined };
    const plain = peer.request('a', {}, options).catch((error: unknown) => error);
    const reset = peer
      .request('b', {}, { ...options, resetTimeoutOnProgress: true })
      .catch((error: unknown) => error);
    await clock.advance(80);
    wire.receive(progressOf(1, 1));
    wire.receive(progressOf(2, 1));
    await clock.advance(40);
    expect(await plain).toMatchObject({ code: 'request_timeout' });
    expect(peer.pendingCount).toBe(1);
    await clock.advance(60);
    expect(await reset).toMatchObject({ code: 'request_timeout', data: { total: false } });
  });

  it.each([
    [250, 250],
    [undefined, 1000],
  ])('ends a call with progress for ever at %s, or at ten times its limit', async (max, endMs) => {
    const { peer, wire, clock } = await started();
    const options = { timeoutMs: 100, resetTimeoutOnProgress: true, onprogress: () => undefined };
    const call = peer.request('m', {}, { ...options, maxTotalTimeoutMs: max });
    let ended: unknown;
    call.catch((error: unknown) => (ended = error));
    for (let at = 50; at < endMs; at += 50) {
      await clock.advance(50);
      wire.receive(progressOf(1, at));
    }
    expect(ended).toBeUndefined();
    await clock.advance(50);
    expect(ended).toMatchObject({ code: 'request_timeout', data: { timeoutMs: endMs, total: true } });
  });

  it('W14 drops an answer to a call that timed out or was cancelled, and reports one to no call', async () => {
    const { peer, wire, clock, errors } = await started({ defaultTimeoutMs: 10 });
    const controller = new AbortController();
    const cancelled = peer.request('m', {}, { signal: controller.signal });
    const cancelledEnd = cancelled.catch((error: unknown) => error);
    const timedOut = peer.request('m').catch((error: unknown) => error);
    controller.abort();
    await clock.advance(10);
    expect(await cancelledEnd).toMatchObject({ code: 'aborted' });
    expect(await timedOut).toMatchObject({ code: 'request_timeout' });
    wire.receive({ jsonrpc: '2.0', id: 1, result: {} });
    wire.receive({ jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'late' } });
    expect(errors).toEqual([]);
    wire.receive({ jsonrpc: '2.0', id: 77, result: {} });
    expect(errors).toMatchObject([{ code: 'unknown_response', data: { id: 77 } }]);
    const next = peer.request('m');
    wire.receive({ jsonrpc: '2.0', id: 3, result: 'fine' });
    expect(await next).toBe('fine');
  });

  it('has no limit when told so', async () => {
    const { peer, clock } = await started();
    void peer.request('m', {}, { timeoutMs: Number.POSITIVE_INFINITY }).catch(() => undefined);
    expect(clock.armed).toBe(0);
    await peer.close();
  });
});

describe('giving up', () => {
  it('sends nothing for a signal that fired before', async () => {
    const { peer, wire } = await started();
    const call = peer.request('m', {}, { signal: AbortSignal.abort('early') });
    await expect(call).rejects.toMatchObject({ code: 'aborted', cause: 'early' });
    expect(wire.sent).toEqual([]);
  });

  it('rejects and sends one cancel with the reason', async () => {
    const { peer, wire, clock } = await started();
    const controller = new AbortController();
    const call = peer.request('m', {}, { signal: controller.signal });
    controller.abort(new TypeError('changed my mind'));
    await expect(call).rejects.toMatchObject({ code: 'aborted', data: { method: 'm' } });
    await clock.advance(100_000);
    expect(wire.sent.slice(1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1, reason: 'changed my mind' },
      },
    ]);
  });

  it('takes its listener off the signal when the call ends', async () => {
    const { peer, wire } = await started();
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    const call = peer.request('m', {}, { signal });
    expect(listeners).toBe(1);
    wire.receive({ jsonrpc: '2.0', id: 1, result: {} });
    await call;
    expect(listeners).toBe(0);
    controller.abort();
    expect(wire.sent).toHaveLength(1);
  });

  it('ends the scope given to the transport instead, in signal mode', async () => {
    const { peer, wire } = await started({ cancelMode: 'signal' });
    const controller = new AbortController();
    const call = peer.request('m', {}, { signal: controller.signal });
    const given = wire.sentOptions[0]?.scope;
    expect(given?.aborted).toBe(false);
    controller.abort('stop');
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(given?.aborted).toBe(true);
    expect(wire.sent).toHaveLength(1);
  });

  it('tells nobody in mode none', async () => {
    const { peer, wire, clock } = await started();
    const call = peer.request('m', {}, { cancelMode: 'none', timeoutMs: 5 });
    const ended = call.catch((error: unknown) => error);
    await clock.advance(5);
    expect(await ended).toMatchObject({ code: 'request_timeout' });
    expect(wire.sent).toHaveLength(1);
  });
});

describe('being cancelled', () => {
  const cancel = (requestId: unknown): object => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, reason: 'enough' },
  });

  it.each([0, '', '0', 1, '1'])('fires the signal of request %j and sends no answer', async (id) => {
    let reason: unknown;
    const { wire, peer } = await started({
      onRequest: (_request, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            resolve('too late');
          });
        }),
    });
    wire.receive({ jsonrpc: '2.0', id, method: 'm' });
    wire.receive(cancel(id));
    await settled();
    expect(reason).toMatchObject({ code: 'aborted', cause: 'enough' });
    expect(wire.sent).toEqual([]);
    expect(peer.inFlightCount).toBe(0);
  });

  it('shows a handler that looks late a signal that has fired', async () => {
    let context: RequestContext | undefined;
    const { wire } = await started({
      onRequest: (_request, given) => {
        context = given;
        return new Promise(() => undefined);
      },
    });
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'm' });
    wire.receive(cancel(1));
    expect(context?.signal.aborted).toBe(true);
  });

  it('takes an id again after its request was cancelled', async () => {
    const { wire } = await started({
      onRequest: ({ method }) => (method === 'hang' ? new Promise(() => undefined) : 'ok'),
    });
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'hang' });
    wire.receive(cancel(1));
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'm' });
    expect(wire.sent).toEqual([{ jsonrpc: '2.0', id: 1, result: 'ok' }]);
  });

  it('hands cancels of no open request to the notification handler', async () => {
    const seen: unknown[] = [];
    const { wire, errors } = await started({
      onRequest: () => 'done',
      onNotification: ({ params }) => seen.push(params?.['requestId']),
    });
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'm' });
    for (const id of [1, 99, {}, null]) wire.receive(cancel(id));
    wire.receive({ jsonrpc: '2.0', method: 'notifications/cancelled' });
    expect(seen).toEqual([1, 99, {}, null, undefined]);
    expect(errors).toEqual([]);
    expect(wire.sent).toHaveLength(1);
  });
});

describe('progress', () => {
  it('asks for it beside the caller’s own meta, and delivers it in order', async () => {
    const { peer, wire } = await started();
    const seen: Progress[] = [];
    const params = { a: 1, _meta: { 'com.example/k': 'v' } };
    const call = peer.request('m', params, { onprogress: (report) => seen.push(report) });
    expect(wire.sent[0]).toMatchObject({
      params: { a: 1, _meta: { 'com.example/k': 'v', progressToken: 1 } },
    });
    expect(params._meta).toEqual({ 'com.example/k': 'v' });
    wire.receive(progressOf(1, 1));
    wire.receive(progressOf(1, 2));
    wire.receive({ jsonrpc: '2.0', id: 1, result: {} });
    await call;
    expect(seen).toEqual([
      { progress: 1, total: 10, message: 'on it' },
      { progress: 2, total: 10, message: 'on it' },
    ]);
  });

  it('drops it after the call, reports invented tokens and throwing callbacks', async () => {
    const { peer, wire, errors } = await started();
    const call = peer.request(
      'm',
      {},
      {
        onprogress: () => {
          throw new TypeError('mine');
        },
      },
    );
    wire.receive(progressOf(1, 1));
    wire.receive({ jsonrpc: '2.0', id: 1, result: {} });
    await call;
    wire.receive(progressOf(1, 2));
    expect(errors).toMatchObject([{ code: 'callback_failed' }]);
    for (const token of [2, 0, '1', undefined, {}]) wire.receive(progressOf(token, 1));
    expect(errors.slice(1).map((error) => (error as { code?: unknown }).code)).toEqual(
      Array.from({ length: 5 }, () => 'unknown_progress'),
    );
  });

  it('sends only rising values, for the token that was given, while the request is open', async () => {
    let context: RequestContext | undefined;
    const { wire, errors } = await started({
      onRequest: (_request, given) => {
        context = given;
        for (const progress of [1, 1, 0.5, 2, Number.NaN]) given.progress({ progress });
        return Promise.resolve({});
      },
    });
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'm', params: { _meta: { progressToken: '' } } });
    await settled();
    context?.progress({ progress: 9 });
    expect(wire.sent.slice(0, -1)).toEqual(
      [1, 2].map((progress) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: '', progress },
      })),
    );
    expect(errors).toHaveLength(4);
  });

  it('sends none when nobody asked', async () => {
    const { wire, errors } = await started({
      onRequest: (_request, context) => context.progress({ progress: 1 }),
    });
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'm' });
    expect(wire.sent).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});

describe('the end', () => {
  it('rejects what is open, fires handlers’ signals and tells once', async () => {
    let signal: AbortSignal | undefined;
    const { peer, wire, clock } = await started({
      onRequest: (_request, context) => {
        signal = context.signal;
        return new Promise(() => undefined);
      },
    });
    let closes = 0;
    peer.onclose = () => (closes += 1);
    const calls = Array.from({ length: 5 }, (_, index) =>
      peer.request('m', {}, { timeoutMs: 10 + index }).catch((error: unknown) => error),
    );
    wire.receive({ jsonrpc: '2.0', id: 1, method: 'hang' });
    await peer.close();
    await peer.close();
    wire.onclose?.();
    for (const error of await Promise.all(calls)) {
      expect(error).toMatchObject({ code: 'connection_closed', data: { method: 'm' } });
    }
    expect(signal?.aborted).toBe(true);
    expect(closes).toBe(1);
    expect(clock.armed).toBe(0);
    expect(wire.sent).toHaveLength(5);
    wire.receive({ jsonrpc: '2.0', id: 9, method: 'late' });
    expect(wire.sent).toHaveLength(5);
  });

  it('ends although callbacks throw, and keeps callbacks set before', async () => {
    const wire = createScriptedTransport();
    const seen: string[] = [];
    wire.onmessage = (message) => seen.push('method' in message ? message.method : '');
    wire.onerror = () => seen.push('error');
    wire.onclose = () => seen.push('close');
    const peer = createPeer({ transport: wire, clock: createManualClock() });
    peer.onclose = () => {
      throw new TypeError('x');
    };
    peer.onerror = () => {
      throw new TypeError('y');
    };
    await peer.start();
    const call = peer.request('m').catch((error: unknown) => error);
    wire.receive({ jsonrpc: '2.0', method: 'n' });
    wire.onerror?.(new TypeError('z'));
    await peer.close();
    expect(await call).toMatchObject({ code: 'connection_closed' });
    expect(seen).toEqual(['n', 'error', 'close']);
  });

  it('is closed when the transport does not open', async () => {
    const wire = createScriptedTransport();
    const failure = new TypeError('refused');
    wire.start = () => Promise.reject(failure);
    const peer = createPeer({ transport: wire, clock: createManualClock() });
    await expect(peer.start()).rejects.toBe(failure);
    await expect(peer.request('m')).rejects.toMatchObject({ code: 'connection_closed' });
  });

  it('ends when the transport cannot be closed cleanly', async () => {
    const { peer, wire } = await started();
    const call = peer.request('m').catch((error: unknown) => error);
    wire.close = () => Promise.reject(new TypeError('stuck'));
    await expect(peer.close()).rejects.toThrow('stuck');
    expect(await call).toMatchObject({ code: 'connection_closed' });
  });
});
