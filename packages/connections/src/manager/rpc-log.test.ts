import { createMemoryTransportPair } from '@portico/rpc';
import type { JSONRPCMessage, Transport } from '@portico/rpc';
import { describe, expect, it, vi } from 'vitest';
import { createRpcLog } from './rpc-log.ts';
import type { RpcLog } from './rpc-log.ts';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const notice = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });

/** Records one message, as a transport that sends it. */
async function record(log: RpcLog, serverId: string, method: string): Promise<void> {
  const transport: Transport = {
    start: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
  };
  await log.wrap(serverId, transport).send(notice(method));
}

const methods = (log: RpcLog, serverId?: string): unknown[] =>
  log.getSnapshot(serverId).map(({ message }) => 'method' in message && message.method);

describe('createRpcLog', () => {
  it('R126 records every message in both directions once', async () => {
    const log = createRpcLog(() => NOW_MS);
    const [own, other] = createMemoryTransportPair();
    const transport = log.wrap('a', own);
    const seen: JSONRPCMessage[] = [];
    transport.onmessage = (message) => void seen.push(message);
    other.onmessage = (message) => void seen.push(message);
    await Promise.all([transport.start(), other.start()]);
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    await other.send({ jsonrpc: '2.0', id: 1, result: {} });
    await vi.waitFor(() => expect(seen).toHaveLength(2));
    const time = '2026-01-02T03:04:05.006Z';
    expect(log.getSnapshot()).toEqual([
      { serverId: 'a', direction: 'sent', time, message: { jsonrpc: '2.0', id: 1, method: 'ping' } },
      { serverId: 'a', direction: 'received', time, message: { jsonrpc: '2.0', id: 1, result: {} } },
    ]);
    await transport.close();
  });

  it('R126 leaves everything else to the transport', async () => {
    class Special implements Transport {
      onmessage?: Transport['onmessage'];
      readonly hasPerRequestStream = true;
      readonly serverKey = 'k';
      sessionId?: string | undefined;
      #version = '';
      get version(): string {
        return this.#version;
      }
      async start(): Promise<void> {
        this.sessionId = 's';
      }
      async send(): Promise<void> {}
      async close(): Promise<void> {
        this.onclose?.();
      }
      onclose?: () => void;
      setProtocolVersion(version: string): void {
        this.#version = version;
      }
    }
    const inner = new Special();
    const transport = createRpcLog(() => 0).wrap('a', inner) as Special;
    const onclose = vi.fn<() => void>();
    transport.onclose = onclose;
    await transport.start();
    transport.setProtocolVersion('2026-07-28');
    await transport.close();
    expect(transport).toBeInstanceOf(Special);
    expect('resumeSession' in transport).toBe(false);
    expect(transport).toMatchObject({ hasPerRequestStream: true, serverKey: 'k', sessionId: 's' });
    expect(transport.version).toBe('2026-07-28');
    expect(onclose).toHaveBeenCalledOnce();
    transport.onmessage = undefined;
    expect(inner.onmessage).toBeUndefined();
  });

  it('R126 keeps 1,000 in all', async () => {
    const log = createRpcLog(() => NOW_MS);
    await record(log, 'a', 'first');
    expect(methods(log, 'a')).toEqual(['first']);
    for (let count = 1; count <= 1_000; count++) await record(log, 'b', `b${String(count)}`);
    expect(log.getSnapshot()).toHaveLength(1_000);
    expect(methods(log, 'a')).toEqual([]);
    expect(methods(log)[0]).toBe('b1');
  });

  it('R126 reads, follows and clears those of one server', async () => {
    const log = createRpcLog(() => NOW_MS);
    await record(log, 'a', 'one');
    await record(log, '__proto__', 'two');
    const listener = vi.fn<() => void>();
    const stop = log.subscribe(listener);
    const [all, ofA, ofProto] = [log.getSnapshot(), log.getSnapshot('a'), log.getSnapshot('__proto__')];
    expect(methods(log)).toEqual(['one', 'two']);
    expect(log.getSnapshot()).toBe(all);
    await record(log, 'a', 'three');
    expect(listener).toHaveBeenCalledTimes(1);
    expect(log.getSnapshot('__proto__')).toBe(ofProto);
    expect(ofA).toHaveLength(1);
    expect(methods(log, 'a')).toEqual(['one', 'three']);
    log.clear('a');
    expect(methods(log)).toEqual(['two']);
    expect(log.getSnapshot('__proto__')).toBe(ofProto);
    log.clear('a');
    expect(listener).toHaveBeenCalledTimes(2);
    log.clear();
    expect(methods(log)).toEqual([]);
    stop();
    await record(log, 'a', 'four');
    expect(listener).toHaveBeenCalledTimes(3);
  });
});
