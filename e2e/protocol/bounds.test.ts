import { type Clock, RpcError } from '@portico/rpc';
import { McpServer, type McpServerOptions, type RatedCall, createMcpHandler } from '@portico/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createManualClock } from '../../testing/manual-clock.ts';
import { httpRequest, post, readReply, streamMessages } from '../../testing/mcp-http.ts';
import { modern, openWire } from '../../testing/mcp-wire.ts';
import { SERVER_ROUTES } from './server-routes.ts';
import { until } from './test-server.ts';

const INFO = { name: 'bounds', version: '1' };
const LIMIT = 100;
const FLOOD = 5_000;

/** A server whose tools report as fast as they can, wait, or answer. */
function flooded(options: McpServerOptions = {}): { server: McpServer; release: () => void } {
  const waiting = new Set<() => void>();
  const server = new McpServer(INFO, { capabilities: { logging: {} }, ...options });
  const pause = (): Promise<void> => new Promise((resolve) => waiting.add(resolve));
  server.registerTool('reports', {}, async ({ mcpReq }) => {
    for (let step = 1; step <= FLOOD; step += 1) mcpReq.progress({ progress: step });
    await pause();
    return { content: [] };
  });
  server.registerTool('logs', {}, async ({ mcpReq }) => {
    for (let step = 1; step <= FLOOD; step += 1) void mcpReq.log('error', step);
    await pause();
    return { content: [] };
  });
  server.registerTool('waits', {}, async () => {
    await pause();
    return { content: [] };
  });
  server.registerTool('answers', {}, () => ({ content: [] }));
  return {
    server,
    release() {
      for (const go of waiting) go();
      waiting.clear();
    },
  };
}

const LOUD = { 'io.modelcontextprotocol/logLevel': 'debug' };

describe.each(SERVER_ROUTES)('floods, $name', (route) => {
  it('W256 of progress and log messages are thinned to a hundred in a second, the newest last', async () => {
    for (const maxReportsPerSecond of [undefined, 7]) {
      const clock = createManualClock();
      const limit = maxReportsPerSecond ?? LIMIT;
      const { server, release } = flooded({
        clock,
        ...(maxReportsPerSecond === undefined ? {} : { maxReportsPerSecond }),
      });
      const client = await route.open(() => server, { clock });
      for (const [name, method, meta] of [
        ['reports', 'notifications/progress', { progressToken: 'p' }],
        ['logs', 'notifications/message', LOUD],
      ] as const) {
        const before = client.received.length;
        const steps = (): unknown[] =>
          client.received.slice(before).flatMap((message) => {
            if (message['method'] !== method) return [];
            const { progress, data } = message['params'] as { progress?: number; data?: unknown };
            return [progress ?? data];
          });
        const call = client.request(name, 'tools/call', { name, _meta: meta });
        await until(() => steps().length >= limit - 1, `${name} of ${route.name}`);
        // The rest of the first second brings nothing more.
        await clock.advance(900);
        expect([name, steps().length <= limit, steps().at(-1)]).toEqual([name, true, limit - 1]);
        expect(await client.request(`${name}-alive`, 'tools/call', { name: 'answers' })).toMatchObject({
          result: { content: [] },
        });
        await clock.advance(200);
        await until(() => steps().at(-1) === FLOOD, `the newest of ${name}`);
        expect(steps()).toHaveLength(limit);
        release();
        expect(await call).toMatchObject({ result: { content: [] } });
      }
      await client.close();
    }
  });

  it('W256 of calls are seen, every one, by whoever limits their rate', async () => {
    const seen: string[] = [];
    const rateLimit = ({ method, name }: RatedCall): void => {
      seen.push(`${method} ${String(name)}`);
      if (seen.length > 30) throw new RangeError('slow down');
    };
    const { server } = flooded({ rateLimit, capabilities: { completions: {} } });
    server.registerPrompt('p', { argsSchema: z.object({ a: z.string() }) }, () => ({ messages: [] }));
    const client = await route.open(() => server);
    let refused = 0;
    for (let call = 0; call < 20; call += 1) {
      const tool = await client.request(`t${String(call)}`, 'tools/call', { name: 'answers' });
      const completion = await client.request(`c${String(call)}`, 'completion/complete', {
        ref: { type: 'ref/prompt', name: 'p' },
        argument: { name: 'a', value: '' },
      });
      refused += [tool, completion].filter((answer) => JSON.stringify(answer).includes('slow down')).length;
    }
    expect(seen).toEqual(
      Array.from({ length: 20 }, () => ['tools/call answers', 'completion/complete p']).flat(),
    );
    expect(refused).toBe(10);
    await client.close();
  });
});

const PIPES = SERVER_ROUTES.filter(({ transport }) => transport !== 'http');

describe.each(PIPES)('one connection, $name', (route) => {
  it('W256 has a thousand open requests, refuses more, merges the reports of it and serves on', async () => {
    const clock = createManualClock();
    const { server, release } = flooded({ clock });
    const client = await route.open(() => server, { clock });
    const call = (id: string, name: string): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: client.params({ name }) });
    for (let each = 0; each < 1_500; each += 1) await client.send(call(`w${String(each)}`, 'waits'));
    await until(() => client.received.length >= 500, 'refusals');
    expect(client.received).toHaveLength(500);
    expect(client.received.every((answer) => codeOf(answer) === -32_603)).toBe(true);
    const faults = client.faults.filter((error) => error instanceof RpcError);
    expect(faults.filter(({ code }) => code === 'too_many_requests')).toHaveLength(100);
    await clock.advance(1_000);
    const merged = client.faults.filter(
      (error) => error instanceof RpcError && error.code === 'faults_merged',
    );
    expect(merged).toMatchObject([{ data: { code: 'too_many_requests', count: 400 } }]);
    release();
    await until(() => client.received.length === 1_500, 'the calls that waited');
    expect(await client.request('after', 'tools/call', { name: 'answers' })).toMatchObject({
      result: { content: [] },
    });
    await client.close();
  });
});

it('W256 of open requests is set by the limits of the server', async () => {
  const { server } = flooded({ limits: { maxPending: 2 } });
  const wire = await openWire((transport) => server.connect(transport));
  for (const id of [1, 2]) {
    await wire.send({ jsonrpc: '2.0', id, method: 'tools/call', params: modern({ name: 'waits' }) });
  }
  expect((await wire.error('tools/call', modern({ name: 'answers' }))).code).toBe(-32_603);
  await wire.close();
});

const codeOf = (message: unknown): unknown => (message as { error?: { code?: unknown } }).error?.code;

const opening = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO },
};

/** Opens so many sessions, and gives the id of the last and the status of one more. */
async function fillSessions(
  handler: ReturnType<typeof createMcpHandler>,
  count: number,
): Promise<{ readonly last: string; readonly more: number }> {
  let last = '';
  for (let opened = 0; opened < count; opened += 1) {
    const reply = await post(handler, opening);
    if (reply.status !== 200) return { last, more: opened };
    last = reply.headers.get('mcp-session-id') ?? '';
  }
  return { last, more: (await post(handler, opening)).status };
}

describe('one HTTP endpoint', () => {
  it('W256 has ten thousand sessions, or as many as it is set to, until they idle for half an hour', async () => {
    for (const [sessions, count, idleMs] of [
      [{}, 10_000, 30 * 60_000],
      [{ maxSessions: 3, idleMs: 5_000 }, 3, 5_000],
    ] as const) {
      const clock: ReturnType<typeof createManualClock> & Clock = createManualClock();
      const { server } = flooded({ clock });
      const handler = createMcpHandler(server, { legacy: 'sessions', sessions, clock });
      const { last, more } = await fillSessions(handler, count);
      expect(more).toBe(503);
      const headers = { 'mcp-session-id': last, 'mcp-protocol-version': '2025-11-25' };
      const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'answers' } };
      const status = async (): Promise<number> => (await post(handler, call, { headers })).status;
      await clock.advance(idleMs - 1);
      expect(await status()).toBe(200);
      await clock.advance(idleMs - 1);
      expect(await status()).toBe(200);
      await clock.advance(idleMs);
      expect(await status()).toBe(404);
      expect((await post(handler, opening)).status).toBe(200);
      await handler.close();
    }
  }, 120_000);

  it('W256 has 1024 listen streams, or as many as it is set to, and answers besides', async () => {
    for (const [options, count] of [
      [{}, 1_024],
      [{ maxSubscriptions: 2 }, 2],
    ] as const) {
      const { server } = flooded();
      const handler = createMcpHandler(server, options);
      const listen = (id: number): Request => {
        const params = modern({ notifications: { toolsListChanged: true } });
        return httpRequest({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params });
      };
      const open: AsyncGenerator<Record<string, unknown>>[] = [];
      for (let id = 0; id < count; id += 1) {
        const messages = streamMessages(await handler.fetch(listen(id)));
        const { value } = (await messages.next()) as { value: { method: unknown } };
        expect(value.method).toBe('notifications/subscriptions/acknowledged');
        open.push(messages);
      }
      const refused = await readReply(await handler.fetch(listen(count)));
      expect(codeOf(refused.message)).toBe(-32_603);
      const call = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: modern({ name: 'answers' }) };
      expect((await post(handler, call)).status).toBe(200);
      await open[0]?.return(undefined);
      const again = await streamMessages(await handler.fetch(listen(count))).next();
      expect(again.value).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
      await handler.close();
    }
  }, 60_000);

  it('W256 merges the reports of what it refuses', async () => {
    const clock = createManualClock();
    const faults: Error[] = [];
    const handler = createMcpHandler(flooded().server, { clock, onerror: (error) => faults.push(error) });
    for (let each = 0; each < 250; each += 1) expect((await post(handler, '{')).status).toBe(400);
    const told = faults.length;
    await clock.advance(1_000);
    const merged = faults.slice(told);
    expect(told).toBeLessThanOrEqual(200);
    expect(merged.every((error) => error instanceof RpcError && error.code === 'faults_merged')).toBe(true);
    expect(merged.length).toBeGreaterThan(0);
    await handler.close();
  });
});
