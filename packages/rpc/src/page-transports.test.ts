import { describe, expect, it } from 'vitest';
import type { JSONRPCMessage } from './message.ts';
import { type PortEvent, type PortLike, createPortTransport } from './port-transport.ts';
import type { Transport } from './transport.ts';
import { type WindowMessageEvent, createWindowTransport } from './window-transport.ts';

type Listener = (event: WindowMessageEvent) => void;

/** A window or port whose events the test fires. */
function eventSource() {
  const listeners = new Map<string, Set<Listener>>();
  const posted: [unknown, string | undefined][] = [];
  return {
    posted,
    count: () => [...listeners.values()].reduce((sum, set) => sum + set.size, 0),
    fire(type: string, event: WindowMessageEvent) {
      for (const listener of listeners.get(type) ?? []) listener(event);
    },
    addEventListener(type: string, listener: Listener) {
      listeners.set(type, (listeners.get(type) ?? new Set()).add(listener));
    },
    removeEventListener(type: string, listener: Listener) {
      listeners.get(type)?.delete(listener);
    },
    postMessage(message: unknown, targetOrigin?: string) {
      posted.push([message, targetOrigin]);
    },
  };
}

const note: JSONRPCMessage = { jsonrpc: '2.0', method: 'n' };

async function started(transport: Transport) {
  const received: unknown[] = [];
  const errors: unknown[] = [];
  transport.onmessage = (message) => received.push(message);
  transport.onerror = (error) => errors.push((error as { code?: unknown }).code);
  await transport.start();
  return { received, errors };
}

describe('createWindowTransport', () => {
  const origin = 'http://a.localhost:6874';

  it('takes messages only from the peer’s window at the peer’s origin', async () => {
    const own = eventSource();
    const target = eventSource();
    const foreign: unknown[] = [];
    const onForeignMessage = (event: WindowMessageEvent): void => void foreign.push(event.data);
    const transport = createWindowTransport({ target, listenOn: own, origin, onForeignMessage });
    const { received } = await started(transport);
    own.fire('message', { data: note, origin, source: eventSource() });
    own.fire('message', { data: note, origin: 'http://b.localhost:6874', source: target });
    own.fire('message', { data: note, origin: 'null', source: target });
    own.fire('message', { data: note, source: target });
    own.fire('message', { data: note, origin, source: null });
    expect(received).toEqual([]);
    expect(foreign).toHaveLength(5);
    own.fire('message', { data: note, origin, source: target });
    expect(received).toEqual([note]);
  });

  it('posts to the peer’s origin only', async () => {
    const target = eventSource();
    const transport = createWindowTransport({ target, listenOn: eventSource(), origin });
    await transport.start();
    await transport.send(note);
    expect(target.posted).toEqual([[note, origin]]);
  });

  it('talks to an opaque origin only when that is asked for', async () => {
    const own = eventSource();
    const target = eventSource();
    const transport = createWindowTransport({ target, listenOn: own, origin: 'opaque' });
    const { received } = await started(transport);
    await transport.send(note);
    expect(target.posted).toEqual([[note, '*']]);
    own.fire('message', { data: note, origin: 'http://a.localhost', source: target });
    own.fire('message', { data: note, origin: 'null', source: target });
    expect(received).toEqual([note]);
  });

  it.each(['*', '', 'null', 'http://a.localhost/', 'http://a.localhost/x', 'a.localhost', 'data:,'])(
    'refuses %j as an origin',
    (wrong) => {
      const make = (): Transport =>
        createWindowTransport({ target: eventSource(), listenOn: eventSource(), origin: wrong });
      expect(make).toThrow(expect.objectContaining({ code: 'invalid_option' }) as Error);
    },
  );

  it('stops listening when closed, and closes once', async () => {
    const own = eventSource();
    const target = eventSource();
    const transport = createWindowTransport({ target, listenOn: own, origin });
    const { received } = await started(transport);
    let closes = 0;
    transport.onclose = () => (closes += 1);
    expect(own.count()).toBe(2);
    await transport.close();
    await transport.close();
    own.fire('message', { data: note, origin, source: target });
    expect(own.count()).toBe(0);
    expect(closes).toBe(1);
    expect(received).toEqual([]);
    await expect(transport.send(note)).rejects.toMatchObject({ code: 'connection_closed' });
    await expect(transport.start()).rejects.toMatchObject({ code: 'connection_closed' });
  });

  it('reports messages that the browser could not decode', async () => {
    const own = eventSource();
    const target = eventSource();
    const transport = createWindowTransport({ target, listenOn: own, origin });
    const { errors } = await started(transport);
    own.fire('messageerror', { origin, source: target });
    own.fire('messageerror', { origin: 'http://b.localhost', source: target });
    expect(errors).toEqual(['undecodable_message']);
  });
});

describe('what may be posted', () => {
  const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)]);
  const cyclic: Record<string, unknown> = { jsonrpc: '2.0', method: 'm' };
  cyclic['params'] = cyclic;
  let wide: unknown = {};
  for (let level = 0; level < 60; level += 1) wide = [wide, wide];
  const params = (value: unknown): unknown => ({ jsonrpc: '2.0', method: 'm', params: { value } });

  it.each([
    [params(nest(510)), undefined],
    [params(nest(511)), 'too_deep'],
    [cyclic, 'too_deep'],
    [params(wide), 'message_too_large'],
    [params('x'.repeat(100_000)), 'message_too_large'],
    [params('é'.repeat(40_000)), 'message_too_large'],
    [params(Array.from({ length: 30_000 })), 'message_too_large'],
    [params(new Map()), 'invalid_message'],
    [params(new Date(0)), 'invalid_message'],
    [params(new Uint8Array(4)), 'invalid_message'],
    [params(10n), 'invalid_message'],
    ['{"jsonrpc":"2.0","method":"m"}', 'invalid_message'],
    [{ type: 'something else' }, 'invalid_message'],
    [null, 'invalid_message'],
    [params([null, true, 1.5, 'x', { a: undefined }]), undefined],
  ])('is bounded and plain (case %#)', async (value, code) => {
    const own = eventSource();
    const target = eventSource();
    const limits = { maxMessageBytes: 65_536 };
    const origin = 'https://a.example';
    const transport = createWindowTransport({ target, listenOn: own, origin, limits });
    const { received, errors } = await started(transport);
    own.fire('message', { data: value, origin, source: target });
    expect(errors).toEqual(code === undefined ? [] : [code]);
    expect(received).toEqual(code === undefined ? [value] : []);
  });
});

describe('createPortTransport', () => {
  it('carries messages both ways over a real channel', async () => {
    const { port1, port2 } = new MessageChannel();
    const left = createPortTransport(port1);
    const right = createPortTransport(port2);
    const arrived = new Promise((resolve) => (right.onmessage = resolve));
    await Promise.all([left.start(), right.start()]);
    await left.send({ jsonrpc: '2.0', id: 1, method: 'm', params: { a: [1] } });
    expect(await arrived).toEqual({ jsonrpc: '2.0', id: 1, method: 'm', params: { a: [1] } });
    const closed = new Promise<void>((resolve) => (right.onclose = resolve));
    await left.close();
    await closed;
  });

  it('reports undecodable messages and closes its port once', async () => {
    const source = eventSource();
    let closes = 0;
    const port: PortLike = {
      postMessage: (message) => source.postMessage(message),
      addEventListener: (type, listener: (event: PortEvent) => void) =>
        source.addEventListener(type, listener),
      removeEventListener: (type, listener: (event: PortEvent) => void) =>
        source.removeEventListener(type, listener),
      start: () => undefined,
      close: () => (closes += 1),
    };
    const transport = createPortTransport(port);
    const { errors } = await started(transport);
    let ended = 0;
    transport.onclose = () => (ended += 1);
    source.fire('messageerror', {});
    source.fire('close', {});
    await transport.close();
    expect(errors).toEqual(['undecodable_message']);
    expect([closes, ended, source.count()]).toEqual([1, 1, 0]);
  });
});
