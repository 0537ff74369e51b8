import { InMemoryTransport, type JSONRPCMessage } from '@portico/rpc';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { BaseContext } from './protocol-context.ts';
import { Protocol, type ProtocolOptions } from './protocol.ts';

class Vendor extends Protocol<BaseContext> {
  readonly asked: string[] = [];
  protected buildContext(context: BaseContext): BaseContext {
    return context;
  }
  protected assertCapabilityForMethod(method: string): void {
    this.asked.push(method);
  }
  protected assertNotificationCapability(method: string): void {
    this.asked.push(method);
  }
  protected assertRequestHandlerCapability(method: string): void {
    if (method === 'acme/forbidden') throw new TypeError('not here');
  }
}

async function pair(options: ProtocolOptions = {}) {
  const [left, right] = InMemoryTransport.createLinkedPair();
  const sent: JSONRPCMessage[] = [];
  const send = left.send.bind(left);
  left.send = (message, given) => {
    sent.push(message);
    return send(message, given);
  };
  const [a, b] = [new Vendor(options), new Vendor()];
  await b.connect(right);
  await a.connect(left);
  return { a, b, sent, left };
}

const Search = z.object({ query: z.string(), limit: z.number().default(3) });
const Found = z.object({ items: z.array(z.string()) });

describe('Protocol', () => {
  it('carries methods of one’s own both ways, with no handshake on the wire', async () => {
    const { a, b, sent } = await pair();
    b.setRequestHandler('acme/search', { params: Search, result: Found }, ({ query, limit }) => ({
      items: [`${query} ${limit}`],
    }));
    a.setRequestHandler('acme/back', { params: z.object({}) }, async (_params, { mcpReq }) => ({
      method: mcpReq.method,
    }));
    const result = await a.request({ method: 'acme/search', params: { query: 'x' } }, Found);
    expect(result.items).toEqual(['x 3']);
    expect(await b.request({ method: 'acme/back' }, z.looseObject({}))).toEqual({ method: 'acme/back' });
    expect(sent[0]).toEqual({ jsonrpc: '2.0', id: 1, method: 'acme/search', params: { query: 'x' } });
  });

  it('refuses params that the schema refuses, without running the handler', async () => {
    const { a, b } = await pair();
    const handler = vi.fn<() => Record<string, unknown>>(() => ({}));
    b.setRequestHandler('acme/search', { params: Search }, handler);
    const call = a.request({ method: 'acme/search', params: { query: 7 } }, z.unknown());
    await expect(call).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('query') as string,
    });
    expect(handler).not.toHaveBeenCalled();
  });

  it('checks results by method and by schema, and sends nothing without either', async () => {
    const { a, b, sent } = await pair();
    b.fallbackRequestHandler = async () => ({ tools: 'none' });
    await expect(a.request({ method: 'tools/list' })).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    await expect(a.request({ method: 'acme/x' }, Found)).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    const before = sent.length;
    await expect(a.request({ method: 'acme/x' } as never)).rejects.toBeInstanceOf(TypeError);
    expect(sent).toHaveLength(before);
    expect(await a.request({ method: 'tools/list' }, z.looseObject({ tools: z.string() }))).toEqual({
      tools: 'none',
    });
    b.fallbackRequestHandler = async () => ({ toolResult: 1 });
    expect(await a.request({ method: 'tools/call', params: { name: 'old' } })).toEqual({
      toolResult: 1,
      content: [],
    });
  });

  it('parses notifications of one’s own and hands the message over beside', async () => {
    const { a, b } = await pair();
    const seen: unknown[] = [];
    const reports: Error[] = [];
    b.onerror = (error) => void reports.push(error);
    b.setNotificationHandler('acme/stage', { params: z.object({ n: z.number() }) }, (params, message) => {
      seen.push(params, message.params?.['_meta']);
    });
    b.fallbackNotificationHandler = async ({ method }) => void seen.push(method);
    await a.notification({ method: 'acme/stage', params: { n: 1, extra: 2, _meta: { trace: 't' } } });
    await a.notification({ method: 'acme/other' });
    await a.notification({ method: 'acme/stage', params: { n: 'one' } });
    await vi.waitFor(() => expect(reports).toHaveLength(1));
    expect(seen.filter((entry) => entry !== 'acme/other')).toEqual([{ n: 1 }, { trace: 't' }]);
    expect(seen).toContain('acme/other');
  });

  it('replaces handlers, removes them and serves ping of itself', async () => {
    const { a, b } = await pair();
    b.setRequestHandler('acme/n', { params: z.object({}) }, () => ({ n: 1 }));
    expect(() => b.assertCanSetRequestHandler('acme/n')).toThrow(TypeError);
    b.setRequestHandler('acme/n', { params: z.object({}) }, () => ({ n: 2 }));
    expect(await a.request({ method: 'acme/n' }, z.unknown())).toEqual({ n: 2 });
    b.removeRequestHandler('acme/n');
    await expect(a.request({ method: 'acme/n' }, z.unknown())).rejects.toMatchObject({ code: -32601 });
    expect(await a.request({ method: 'ping' })).toEqual({});
    expect(() => b.setRequestHandler('acme/n', { params: z.object({}) }, undefined as never)).toThrow(
      TypeError,
    );
    expect(() => b.setRequestHandler('acme/forbidden', { params: z.object({}) }, () => ({}))).toThrow(
      'not here',
    );
  });

  it('lets handlers send and notify within the request, and see who asks', async () => {
    const { a, b, left } = await pair();
    const notes: unknown[] = [];
    a.setRequestHandler('roots/list', () => ({ roots: [] }));
    a.fallbackNotificationHandler = async (message) => void notes.push(message.method);
    b.setRequestHandler('acme/ask', { params: z.object({}) }, async (_params, { mcpReq, http }) => {
      await mcpReq.notify({ method: 'acme/note' });
      const wrong = mcpReq.send({ method: 'ping' }, Found).catch((error: { code: string }) => error.code);
      return { roots: await mcpReq.send({ method: 'roots/list' }), wrong: await wrong, http, id: mcpReq.id };
    });
    const params = { _meta: { 'com.example/k': [1] } };
    const asked = a.request({ method: 'acme/ask', params }, z.unknown());
    expect(await asked).toEqual({ roots: { roots: [] }, wrong: 'INVALID_RESULT', id: 1 });
    expect(notes).toEqual(['acme/note']);
    await left.send({ jsonrpc: '2.0', id: 77, method: 'acme/ask' }, { authInfo: { token: 't' } });
  });

  it('says not connected before and after, and refuses a second transport', async () => {
    const lone = new Vendor();
    await expect(lone.request({ method: 'ping' })).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
    await expect(lone.notification({ method: 'acme/x' })).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
    const { a, left } = await pair();
    expect(a.transport).toBe(left);
    await expect(a.connect(left)).rejects.toMatchObject({ code: 'ALREADY_CONNECTED' });
    const closed = vi.fn<() => void>();
    a.onclose = closed;
    await a.close();
    expect(closed).toHaveBeenCalledOnce();
    expect(a.transport).toBeUndefined();
    await expect(a.request({ method: 'ping' })).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
  });

  it('ends requests with the errors of this side', async () => {
    const clock = createManualClock();
    const { a, b } = await pair({ clock, enforceStrictCapabilities: true });
    b.fallbackRequestHandler = () => new Promise(() => {});
    const late = a.request({ method: 'ping', params: {} }, { timeout: 50 });
    b.setRequestHandler('ping', () => new Promise(() => {}));
    await late;
    const slow = a.request({ method: 'ping' }, { timeout: 50 });
    const slowCode = slow.catch((error: { code: string; data: unknown }) => [error.code, error.data]);
    await clock.advance(51);
    expect(await slowCode).toEqual(['REQUEST_TIMEOUT', { timeout: 50 }]);
    const open = a.request({ method: 'ping' }).catch((error: { code: string }) => error.code);
    await a.close();
    expect(await open).toBe('CONNECTION_CLOSED');
    expect(a.asked).toEqual(['ping', 'ping', 'ping']);
  });

  it('sends a debounced notification once a turn', async () => {
    const { a, sent } = await pair({ debouncedNotificationMethods: ['acme/changed'] });
    await Promise.all([1, 2, 3].map(() => a.notification({ method: 'acme/changed' })));
    await a.notification({ method: 'acme/changed', params: { n: 1 } });
    expect(sent).toHaveLength(2);
  });
});
