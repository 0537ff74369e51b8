// oxlint-disable vitest/no-conditional-expect -- what can be seen of a rule differs from route to route
import { afterEach, describe, expect, it } from 'vitest';
import { type RawClient, SERVER_ROUTES } from './server-routes.ts';
import { byText, createTestServer, until } from './test-server.ts';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

const IDS: readonly (string | number)[] = [
  0,
  '',
  '0',
  1,
  '1',
  '007',
  '1e3',
  -1,
  '5f2c1a9e-8d0b-4c7a-9b1e-0f6d2a3c4b5d',
  9_007_199_254_740_991,
  -9_007_199_254_740_991,
  'ü "quoted" \n \u{1F6A2}',
];

describe.each(SERVER_ROUTES)('a server over $name', (route) => {
  it('W3 answers with the id as it came, results and errors alike', async () => {
    const client = await route.open(createTestServer().make);
    open.push(client);
    for (const id of IDS) {
      const result = await client.request(id, 'tools/call', { name: 'echo', arguments: { value: 'x' } });
      expect(result).toMatchObject({ id, result: {} });
      const failure = await client.request(id, 'no/such/method');
      expect(failure).toMatchObject({ id, error: { code: -32_601 } });
      const bytes = `"id":${JSON.stringify(id)},`;
      for (const text of client.texts.slice(-2)) expect(text).toContain(bytes);
    }
  });

  it('W5 field-D9 takes every id for an id: requests, errors, progress, log and cancel, 0 and "" included', async () => {
    const { seen, make } = createTestServer({
      report: async ({ mcpReq }) => {
        mcpReq.progress({ progress: 1 });
        await mcpReq.notify({ method: 'com.example/related', params: { id: mcpReq.id } });
        return 'reported';
      },
    });
    const client = await route.open(make);
    open.push(client);
    for (const id of [0, '', '0', 1, '1']) {
      const asked = client.request(id, 'tools/call', { name: 'report', _meta: { progressToken: id } });
      expect(await asked).toMatchObject({ id, result: { content: [{ text: 'reported' }] } });
      const progress = client.received.filter(
        ({ method, params }) =>
          method === 'notifications/progress' && (params as { progressToken: unknown }).progressToken === id,
      );
      expect([id, progress.length]).toEqual([id, 1]);
      const related = client.received.filter(
        ({ method, params }) => method === 'com.example/related' && (params as { id: unknown }).id === id,
      );
      expect([id, related.length]).toEqual([id, 1]);

      const stopped = seen.stopped.length;
      const runs = seen.runs.length;
      const abort = new AbortController();
      const body = { jsonrpc: '2.0', id, method: 'tools/call', params: client.params({ name: 'wait' }) };
      const sent = client.send(JSON.stringify(body), abort.signal).catch(() => undefined);
      await until(() => !(seen.runs.length === runs), 'seen.runs.length === runs');
      const answers = client.received.length;
      if (route.transport === 'http' && route.era === 'modern') abort.abort();
      else {
        const cancelled = { requestId: id, reason: 'enough' };
        await client.send(
          JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled }),
        );
      }
      await until(() => !(seen.stopped.length === stopped), 'seen.stopped.length === stopped');
      if (route.transport !== 'http') await sent;
      expect(client.received).toHaveLength(answers);
    }
  });

  it('W7 field-D7 crosses no result when ids are used again while they are open', async () => {
    const releases: (() => void)[] = [];
    const held = (name: string) => async () => {
      await new Promise<void>((resolve) => releases.push(resolve));
      return name;
    };
    const names = Array.from({ length: 12 }, (_, index) => `tool${String(index)}`);
    const { seen, make } = createTestServer(Object.fromEntries(names.map((name) => [name, held(name)])));
    const client = await route.open(make);
    open.push(client);
    const bodies = names.map((name) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: client.params({ name }) }),
    );
    const rounds = route.transport === 'http' ? 50 : 1;
    for (let round = 0; round < rounds; round += 1) {
      const before = client.received.length;
      const runs = seen.runs.length;
      const sent = bodies.map((body) => client.send(body));
      const expected = route.transport === 'http' ? names.length : 1;
      await until(() => !(seen.runs.length < runs + expected), 'seen.runs.length < runs + expected');
      // Nobody can tell which of them is meant.
      if (route.transport !== 'http' || route.era === 'legacy') {
        await client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
      }
      for (const release of releases.splice(0).reverse()) release();
      await Promise.all(sent);
      const answers = () => client.received.slice(before).filter(({ id }) => id === 1);
      await until(() => answers().length >= expected, 'answers().length >= expected');
      // Whatever else was to come has come before this.
      await client.request('after', 'tools/list');
      const texts = answers().map(
        ({ result }) => (result as { content: { text: string }[] }).content[0]?.text,
      );
      if (route.transport === 'http') expect(texts.sort(byText)).toEqual([...names].sort(byText));
      else {
        expect(texts).toEqual(['tool0']);
        expect(client.faults.map((fault) => (fault as { code?: unknown }).code)).toEqual(
          Array.from({ length: 11 }, () => 'duplicate_request'),
        );
      }
    }
  });
});
