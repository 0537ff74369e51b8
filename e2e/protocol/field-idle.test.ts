import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@portico/client';
import { createHttpPool } from '@portico/client/node';
import { McpServer, createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import { afterEach, describe, expect, it } from 'vitest';
import { type ManualClock, createManualClock } from '../../testing/manual-clock.ts';
import { until } from './test-server.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

/** A proxy that cuts a connection which said nothing for two seconds of the clock, as load balancers do. */
async function openProxy(target: number, clock: ManualClock) {
  const sockets = new Set<Socket>();
  let bytes = 0;
  const proxy = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    let lastMs = clock.now();
    const cut = (): void => {
      near.destroy();
      far.destroy();
    };
    const look = (): void => {
      if (near.destroyed) return;
      if (clock.now() - lastMs >= 2_000) cut();
      else clock.setTimer(100, look);
    };
    look();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk: Uint8Array) => {
        lastMs = clock.now();
        bytes += chunk.length;
        to.write(chunk);
      });
      from.on('close', cut);
      from.on('error', cut);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
  return { url: new URL(`http://127.0.0.1:${String(portOf(proxy))}/mcp`), bytes: () => bytes };
}

async function openServer(clock: ManualClock, keepAliveMs: number) {
  const server = new McpServer({ name: 'slow', version: '1' });
  let calls = 0;
  server.registerTool('slow', {}, async ({ mcpReq }) => {
    calls += 1;
    // Says something, so that the answer is a stream, and then nothing for five seconds.
    mcpReq.progress({ progress: 1 });
    await new Promise<void>((resolve) => void clock.setTimer(5_000, resolve));
    return { content: [{ type: 'text', text: 'slow but there' }] };
  });
  const handler = createMcpHandler(() => server, { clock, keepAliveMs, responseMode: 'sse' });
  const mcp = toNodeHandler(handler);
  const http = createHttpServer((request, response) => void mcp(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    await handler.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return { port: portOf(http), calls: () => calls };
}

const CLIENTS = { fetch: () => ({}), pool: () => ({ http: createHttpPool() }) } as const;

describe.each(['legacy', 'modern'] as const)('a call that is silent for five seconds, %s', (era) => {
  async function callThroughProxy(kind: keyof typeof CLIENTS, keepAliveMs: number) {
    const clock = createManualClock();
    const server = await openServer(clock, keepAliveMs);
    const proxy = await openProxy(server.port, clock);
    const mode = era === 'legacy' ? era : { pin: '2026-07-28' };
    const client = new Client({ name: 'waits', version: '1' }, { versionNegotiation: { mode } });
    const errors: unknown[] = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(new StreamableHTTPClientTransport(proxy.url, CLIENTS[kind]()));
    cleanUps.push(() => client.close());
    let outcome: unknown;
    void client.callTool({ name: 'slow' }, { onprogress: () => undefined }).then(
      ({ content }) => (outcome = content),
      (error: unknown) => (outcome = (error as { code: unknown }).code),
    );
    await until(() => server.calls() > 0, 'the call');
    for (let step = 0; step < 10 && outcome === undefined; step += 1) {
      const before = proxy.bytes();
      await clock.advance(500);
      if (keepAliveMs > 0) await until(() => proxy.bytes() > before || outcome !== undefined, 'a comment');
    }
    await until(() => outcome !== undefined, 'the outcome');
    return { outcome, errors };
  }

  it.each(['fetch', 'pool'] as const)(
    'field-D6 outlives a proxy that cuts what is idle, by comments that nobody sees, over %s',
    async (kind) => {
      const { outcome, errors } = await callThroughProxy(kind, 500);
      expect(outcome).toEqual([{ type: 'text', text: 'slow but there' }]);
      expect(errors).toEqual([]);
      // Without them the proxy does cut.
      expect((await callThroughProxy(kind, 0)).outcome).toBe('CONNECTION_CLOSED');
    },
  );
});
