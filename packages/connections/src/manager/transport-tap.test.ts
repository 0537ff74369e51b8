import { createMemoryTransportPair } from '@portico/rpc';
import type { JSONRPCMessage, Transport } from '@portico/rpc';
import { describe, expect, it, vi } from 'vitest';
import { createRpcLog } from './rpc-log.ts';
import { tapTransport } from './transport-tap.ts';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

describe('tapTransport', () => {
  it('R126 records every message in both directions once', async () => {
    const log = createRpcLog(() => NOW_MS);
    const [own, other] = createMemoryTransportPair();
    const transport = tapTransport(own, {
      sent: (message) => log.record('a', 'sent', message),
      received: (message) => log.record('a', 'received', message),
    });
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
    const transport = tapTransport(inner, { sent: () => undefined, received: () => undefined });
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
});
