// oxlint-disable vitest/no-conditional-expect -- what can be seen of a rule differs from route to route
import { afterEach, describe, expect, it } from 'vitest';
import { type RawClient, type Seen, SERVER_ROUTES } from './server-routes.ts';
import { createTestServer, until } from './test-server.ts';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const cancel = (params: unknown): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    ...(params === undefined ? {} : { params }),
  });
const textOf = (answer: Seen): unknown =>
  (answer['result'] as { content?: { text: string }[] } | undefined)?.content?.[0]?.text;

describe.each(SERVER_ROUTES)('a server over $name', (route) => {
  const byDisconnect = route.transport === 'http' && route.era === 'modern';

  it('W66 fires the signal of a cancelled request with the reason, answers nothing, and serves on', async () => {
    const { seen, make } = createTestServer();
    const client = await route.open(make);
    open.push(client);
    const body = { jsonrpc: '2.0', id: 99, method: 'tools/call', params: client.params({ name: 'wait' }) };
    const abort = new AbortController();
    const sent = client.send(JSON.stringify(body), abort.signal).catch(() => undefined);
    await until(() => !(seen.runs.length === 0), 'seen.runs.length === 0');
    if (byDisconnect) abort.abort();
    else await client.send(cancel({ requestId: 99, reason: 'changed my mind' }));
    await until(() => !(seen.stopped.length === 0), 'seen.stopped.length === 0');
    for (let look = 0; look < 20; look += 1) await turn();
    if (!byDisconnect) expect(seen.stopped).toMatchObject([{ cause: 'changed my mind' }]);
    expect(client.received).toEqual([]);
    await sent;
    expect(await client.request(100, 'tools/list')).toMatchObject({ id: 100, result: {} });
    expect(client.received).toHaveLength(1);
    // The answer that nobody waits for any more is told with the status that it would have had.
    const others = client.faults.filter((fault) => !('code' in fault && fault.code === 'REQUEST_REFUSED'));
    expect(others).toEqual([]);
  });

  it('W67 ignores cancels of nothing: unknown, finished, malformed, without params', async () => {
    const { seen, make } = createTestServer();
    const client = await route.open(make);
    open.push(client);
    await client.request(1, 'tools/list');
    const waiting = client.request('w', 'tools/call', { name: 'wait' });
    await until(() => !(seen.runs.length === 0), 'seen.runs.length === 0');
    const before = client.received.length;
    const malformed = [
      { requestId: 1 },
      { requestId: 77 },
      { requestId: '1' },
      { requestId: null },
      { requestId: {} },
      { requestId: ['w'] },
      { requestId: 1.5 },
      { requestId: true },
      { reason: 'no id' },
      {},
      undefined,
    ];
    for (const params of malformed) {
      const status = await client.send(cancel(params));
      if (route.transport === 'http') expect([params, status]).toEqual([params, 202]);
    }
    expect(await client.request(2, 'tools/list')).toMatchObject({ id: 2, result: {} });
    expect(client.received).toHaveLength(before + 1);
    expect(client.faults).toEqual([]);
    seen.release();
    expect(textOf(await waiting)).toBe('waited');
    expect(seen.stopped).toEqual([]);
  });

  it('W75 runs fifty calls side by side and answers each its own, whatever ends first', async () => {
    const gates: (() => void)[] = [];
    const { make } = createTestServer({
      own: async ({ mcpReq }) => {
        await new Promise<void>((resolve) => gates.push(resolve));
        return `for ${String(mcpReq.id)}`;
      },
    });
    const client = await route.open(make);
    open.push(client);
    const calls = Array.from({ length: 50 }, (_, id) => client.request(id, 'tools/call', { name: 'own' }));
    await until(() => !(gates.length < 50), 'gates.length < 50');
    // Coprime to fifty: every gate is opened once, in an order that nobody would expect.
    for (let step = 0; step < 50; step += 1) {
      gates[(step * 37 + 11) % 50]?.();
      if (step % 3 === 0) await turn();
    }
    const answers = await Promise.all(calls);
    expect(answers.map(textOf)).toEqual(Array.from({ length: 50 }, (_, id) => `for ${String(id)}`));
    expect(client.received).toHaveLength(50);
  });

  it('holds a thousand open requests of one connection, refuses the next, and recovers', async () => {
    const { seen, make } = createTestServer();
    const client = await route.open(make);
    open.push(client);
    // Each modern request over HTTP is a connection of its own.
    if (byDisconnect) return;
    const params = client.params({ name: 'wait' });
    const sent = Array.from({ length: 1000 }, (_, id) =>
      client.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })),
    );
    await until(() => seen.runs.length === 1000, 'a thousand runs');
    expect(await client.request('more', 'tools/list')).toMatchObject({ error: { code: -32_603 } });
    seen.release();
    await Promise.all(sent);
    await until(() => client.received.length === 1001, 'a thousand answers');
    expect(await client.request('again', 'tools/list')).toMatchObject({ result: {} });
  });
});
