// oxlint-disable vitest/no-conditional-expect -- what can be seen of a rule differs from route to route
import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { type RawClient, SERVER_ROUTES } from './server-routes.ts';
import { byText, createTestServer } from './test-server.ts';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

/** A tool call whose whole message nests in so many levels. */
function nested(client: RawClient, levels: number, id: string): string {
  const params = client.params({ name: 'echo', arguments: { value: 'x' }, 'com.example/deep': 'HERE' });
  const text = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  // The message and its params are two levels.
  return text.replace('"HERE"', () => '['.repeat(levels - 2) + ']'.repeat(levels - 2));
}

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

describe.each(SERVER_ROUTES)('a server over $name', (route) => {
  it('W253 takes messages of 512 levels, refuses deeper ones, and no depth ends it', async () => {
    const { seen, make } = createTestServer();
    const client = await route.open(make);
    open.push(client);
    for (const levels of [10, 512]) {
      const before = client.received.length;
      await client.send(nested(client, levels, 'fine'));
      const answer = await client.next((message) => client.received.indexOf(message) >= before);
      expect([levels, answer]).toMatchObject([levels, { result: {} }]);
    }
    for (const levels of [513, 1_000_000]) {
      const before = { received: client.received.length, faults: client.faults.length };
      const status = await client.send(nested(client, levels, 'deep'));
      await client.request('after', 'tools/list');
      const answers = client.received.slice(before.received, -1);
      if (route.transport === 'http') expect([levels, status]).toEqual([levels, 400]);
      if (route.transport !== 'memory') expect(answers).toMatchObject([{ error: { code: -32_600 } }]);
      expect(client.faults.length).toBeGreaterThan(before.faults);
    }
    expect(seen.runs).toEqual(['echo', 'echo']);
  });

  it('W255 takes names of the language for names like any others', async () => {
    const { seen, make } = createTestServer({
      args: ({ mcpReq }) => JSON.stringify(mcpReq._meta ?? {}),
    });
    const frozen = JSON.stringify(Object.getOwnPropertyNames(Object.prototype).sort(byText));
    const client = await route.open(() => {
      const server = make();
      server.registerPrompt('greet', {}, () => ({ messages: [] }));
      return server;
    });
    open.push(client);
    for (const name of NAMES) {
      expect([name, await client.request(`m ${name}`, name)]).toMatchObject([
        name,
        { error: { code: -32_601 } },
      ]);
      const refused = { error: { code: -32_602 } };
      expect([name, await client.request(`t ${name}`, 'tools/call', { name })]).toMatchObject([
        name,
        refused,
      ]);
      expect([name, await client.request(`p ${name}`, 'prompts/get', { name })]).toMatchObject([
        name,
        refused,
      ]);
      const own = JSON.parse(`{"name":"echo","arguments":{"value":"x","${name}":{"polluted":1}}}`) as object;
      const meta = JSON.parse(`{"${name}":{"polluted":1}}`) as object;
      const called = await client.request(`a ${name}`, 'tools/call', { ...own, _meta: meta });
      expect([name, called]).toMatchObject([name, { result: { content: [{ text: 'x' }] } }]);
      await client.send(
        JSON.stringify({ jsonrpc: '2.0', method: name, params: client.params({ [name]: 1 }) }),
      );
      await client.send(
        `{"jsonrpc":"2.0","id":"raw ${name}","method":"tools/list","${name}":{"polluted":1}}`,
      );
      const listen = { notifications: { [name]: true }, capabilities: { [name]: {} } };
      await client.request(`c ${name}`, route.era === 'legacy' ? 'initialize' : 'no/such', listen);
    }
    expect(seen.runs).toEqual(NAMES.map(() => 'echo'));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype).sort(byText))).toBe(frozen);
    expect(await client.request('after', 'tools/list')).toMatchObject({ result: {} });
  });

  it('sends a hundred reports of one call in a second, the newest among them', async () => {
    const clock = createManualClock();
    const { make } = createTestServer({
      flood: async ({ mcpReq }) => {
        for (let step = 1; step <= 5_000; step += 1) {
          mcpReq.progress({ progress: step });
          if (step % 2 === 0) await mcpReq.log('error', step);
        }
        return 'flooded';
      },
    });
    const client = await route.open(make, { clock });
    open.push(client);
    const _meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' };
    const answer = await client.request('f', 'tools/call', { name: 'flood', _meta });
    expect(answer).toMatchObject({ result: { content: [{ text: 'flooded' }] } });
    const reports = client.received.filter(({ method }) => method !== undefined);
    expect(reports).toHaveLength(100);
    expect(reports.at(-1)).toMatchObject({ params: { data: 5_000 } });
    expect(client.received.at(-1)).toBe(answer);
  });

  it('W73 sends progress for the token given, rising, until the answer, and tells its own side of the rest', async () => {
    let late = (): void => undefined;
    const { make } = createTestServer({
      misbehave: async ({ mcpReq }) => {
        for (const progress of [1, 1, 0.5, 2, Number.NaN])
          mcpReq.progress({ progress, total: 9, message: 'm' });
        const notify = (params: Record<string, unknown>): Promise<void> =>
          mcpReq.notify({ method: 'notifications/progress', params });
        await notify({ progressToken: 'invented', progress: 7 });
        await notify({ progressToken: '7', progress: 3 });
        await notify({ progressToken: 7, progress: 3 });
        await notify({ progressToken: 7, progress: 3 });
        late = () => mcpReq.progress({ progress: 10 });
        return 'done';
      },
    });
    const client = await route.open(make);
    open.push(client);
    await client.request('p', 'tools/call', { name: 'misbehave', _meta: { progressToken: 7 } });
    late();
    await client.request('after', 'tools/list');
    const sent = client.received.filter(({ method }) => method === 'notifications/progress');
    expect(sent.map(({ params }) => params)).toEqual([
      { progressToken: 7, progress: 1, total: 9, message: 'm' },
      { progressToken: 7, progress: 2, total: 9, message: 'm' },
      { progressToken: 7, progress: 3 },
    ]);
    const refused = client.faults.filter((fault) => 'code' in fault && fault.code === 'progress_refused');
    expect(refused).toHaveLength(7);
    // Nobody asked: nothing is sent and nothing is wrong.
    await client.request('q', 'tools/call', { name: 'misbehave' });
    expect(client.received.filter(({ method }) => method === 'notifications/progress')).toHaveLength(3);
  });
});
