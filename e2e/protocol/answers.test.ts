// oxlint-disable vitest/no-conditional-expect -- what can be seen of a rule differs from route to route
import { afterEach, describe, expect, it } from 'vitest';
import { ProtocolError, isJSONRPCErrorResponse } from '@portico/rpc';
import { type McpHttpHandler, createMcpHandler } from '@portico/server';
import { type RawClient, SERVER_ROUTES } from './server-routes.ts';
import { byText, createTestServer } from './test-server.ts';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;
const DATA = { nested: [{ a: 1, 'com.example/k': null }], text: 'ü' };

describe.each(SERVER_ROUTES)('a server over $name', (route) => {
  it('W8 answers no notification, whatever it is and whatever becomes of its handler', async () => {
    const { make } = createTestServer();
    const seen: string[] = [];
    const client = await route.open(() => {
      const server = make();
      server.server.setNotificationHandler('com.example/throws', () => {
        seen.push('throws');
        throw new TypeError('thrown');
      });
      server.server.setNotificationHandler('com.example/rejects', () => {
        seen.push('rejects');
        return Promise.reject(new ProtocolError(-32_602, 'rejected'));
      });
      return server;
    });
    open.push(client);
    const bare = { jsonrpc: '2.0', params: client.params({}) };
    const notifications = [
      { ...bare, method: 'com.example/throws' },
      { ...bare, method: 'com.example/rejects' },
      { ...bare, method: 'com.example/unknown' },
      // Methods of requests: without an id they are notifications all the same.
      { ...bare, method: 'tools/list' },
      { ...bare, method: 'tools/call', params: client.params({ name: 'echo', arguments: { value: 'x' } }) },
      { ...bare, method: 'notifications/cancelled', params: client.params({ requestId: {} }) },
      { ...bare, method: 'notifications/progress', params: client.params({ progressToken: [] }) },
    ];
    for (const notification of notifications) {
      const status = await client.send(JSON.stringify(notification));
      if (route.transport === 'http')
        expect([notification.method, status, client.received.at(-1)]).toEqual([
          notification.method,
          202,
          undefined,
        ]);
    }
    // Over HTTP a malformed body has a status, and the reason beside it.
    if (route.transport !== 'http') {
      await client.send('{"jsonrpc":"2.0","method":"tools/list","params":7}');
      await client.send('{"jsonrpc":"2.0","method":7}');
    }
    await client.request('last', 'tools/list');
    expect(client.received.map(({ id }) => id)).toEqual(['last']);
    expect(seen).toEqual(['throws', 'rejects']);
  });

  it('W9 says by the number what is wrong, keeps numbers and data of errors, and shows no stack', async () => {
    const { make } = createTestServer();
    const client = await route.open(() => {
      const server = make();
      const { server: low } = server;
      low.setRequestHandler('com.example/coded', () => {
        throw new ProtocolError(4711, 'coded', DATA);
      });
      low.setRequestHandler('com.example/odd', () => {
        throw new ProtocolError(1.5, 'odd number');
      });
      low.setRequestHandler('com.example/throws', () => {
        throw new TypeError('inner words');
      });
      low.setRequestHandler('com.example/cyclic', () => cyclic);
      low.setRequestHandler('com.example/cyclic-data', () => {
        throw new ProtocolError(4712, 'cyclic data', cyclic);
      });
      low.setRequestHandler('com.example/params', () => {
        throw new ProtocolError(-32_602, 'bad params');
      });
      return server;
    });
    open.push(client);
    const errorOf = async (method: string, params?: Record<string, unknown>): Promise<unknown> =>
      (await client.request(`about ${method}`, method, params))['error'];
    expect(await errorOf('no/such/method')).toMatchObject({ code: -32_601 });
    expect(await errorOf('tools/call', { name: 7 })).toMatchObject({ code: -32_602 });
    expect(await errorOf('com.example/params')).toEqual({ code: -32_602, message: 'bad params' });
    expect(await errorOf('com.example/coded')).toEqual({ code: 4711, message: 'coded', data: DATA });
    expect(await errorOf('com.example/odd')).toEqual({ code: -32_603, message: 'odd number' });
    expect(await errorOf('com.example/throws')).toEqual({ code: -32_603, message: 'inner words' });
    expect(await errorOf('com.example/cyclic')).toMatchObject({ code: -32_603 });
    expect(await errorOf('com.example/cyclic-data')).toMatchObject({ code: expect.any(Number) });
    if (route.transport !== 'memory') {
      const before = client.received.length;
      const status = await client.send('{"jsonrpc":"2.0","id":9,');
      await client.request('after', 'tools/list');
      const answers = client.received.slice(before, -1);
      expect(status).toBe(route.transport === 'http' ? 400 : undefined);
      // On a pipe there is nobody to answer: the line is skipped and reported.
      if (route.transport === 'http') expect(answers).toMatchObject([{ error: { code: -32_700 } }]);
      else {
        expect(answers).toEqual([]);
        expect(client.faults.at(-1)).toMatchObject({ code: 'parse_error' });
      }
    }
    const before = client.received.length;
    await client.send('{"jsonrpc":"2.0","id":7,"method":8}');
    const refusal = await client.next((message) => client.received.indexOf(message) >= before);
    expect(refusal).toMatchObject({ error: { code: -32_600 } });
    for (const message of client.received) {
      expect(JSON.stringify(message)).not.toMatch(/\bat .*:\d+:\d+|\.ts\b|node_modules/);
    }
  });

  it('W11 leaves the id out of errors that belong to none', async () => {
    const client = await route.open(createTestServer().make);
    open.push(client);
    const texts = [
      '[]',
      '7',
      '{"jsonrpc":"2.0","id":null,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":1.5,"method":"m"}',
    ];
    if (route.transport !== 'memory') texts.push('{', '{"a"');
    for (const text of texts) {
      expect([text, await client.send(text)]).toEqual([text, route.transport === 'http' ? 400 : undefined]);
    }
    await client.request('last', 'tools/list');
    const errors = client.received.filter(({ id }) => id !== 'last');
    if (route.transport === 'http') expect(errors).toHaveLength(texts.length);
    for (const message of errors) {
      expect(Object.keys(message).sort(byText)).toEqual(['error', 'jsonrpc']);
      expect(isJSONRPCErrorResponse(message)).toBe(true);
      expect(message['error']).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    }
  });
});

const item = (id: unknown, method = 'tools/list', params: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const envelope = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const note = { jsonrpc: '2.0', method: 'com.example/note' };

/** Arrays, and the ids that are answered where arrays are taken; none when the array is refused. */
const ARRAYS: readonly [string, readonly unknown[], readonly string[] | undefined][] = [
  ['two requests', [item('a'), item('b')], ['a', 'b']],
  ['one request', [item('a')], ['a']],
  ['a request and a notification', [note, item('a')], ['a']],
  ['notifications only', [note, note], []],
  ['nothing', [], undefined],
  ['an invalid element', [item('a'), { jsonrpc: '2.0', id: 'b' }], undefined],
  ['an element with a bad id', [item('a'), item(null)], undefined],
  ['an enveloped element', [item('a'), item('b', 'tools/list', envelope)], undefined],
  ['an opening', [item('a', 'initialize', { protocolVersion: '2025-03-26' })], undefined],
  ['an array within', [item('a'), [item('b')]], undefined],
];
const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

describe.each(SERVER_ROUTES.filter(({ transport }) => transport !== 'memory'))(
  'arrays for a server over $name',
  (route) => {
    const versions = VERSIONS.filter((version) => (version === '2026-07-28') === (route.era === 'modern'));
    it.each(
      versions.flatMap((version) =>
        ARRAYS.map(([what, elements, ids]) => [version, what, { elements, ids }] as const),
      ),
    )(
      'W12 in %s, of %s, are served in one version only and never in part',
      async (version, _what, { elements, ids }) => {
        const { make } = createTestServer();
        const client = await route.open(make, { version });
        open.push(client);
        const before = { texts: client.texts.length, faults: client.faults.length };
        const status = await client.send(JSON.stringify(elements));
        await client.request('last', 'tools/list');
        const answers = client.received.slice(0, -1);
        if (version === '2025-03-26' && ids !== undefined) {
          expect(answers.map(({ id }) => id).sort(byText)).toEqual([...ids]);
          expect(answers.every((answer) => 'result' in answer)).toBe(true);
          if (route.transport === 'http') expect(status).toBe(ids.length === 0 ? 202 : 200);
          else for (const text of client.texts.slice(before.texts)) expect(text).not.toMatch(/^\s*\[/);
          return;
        }
        if (route.transport === 'http') {
          expect(status).toBe(400);
          expect(answers).toMatchObject([{ error: { code: -32_600 } }]);
        } else {
          expect(answers).toEqual([]);
          expect(client.faults).toHaveLength(before.faults + 1);
        }
      },
    );
  },
);

describe('arrays without a version header', () => {
  const headers = {
    host: 'localhost',
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const posted = async (handler: McpHttpHandler, body: unknown, more: Record<string, string>) => {
    const init = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) };
    return handler.fetch(new Request('http://localhost/mcp', init));
  };

  it('W12 are those of the version with arrays, unless the session speaks another', async () => {
    const { make } = createTestServer();
    const stateless = createMcpHandler(make);
    expect((await posted(stateless, [item('a')], {})).status).toBe(200);
    const stated = { 'mcp-protocol-version': '2025-11-25' };
    expect((await posted(stateless, [item('a')], stated)).status).toBe(400);
    const sessions = createMcpHandler(make, { legacy: 'sessions' });
    for (const [protocolVersion, status] of [
      ['2025-03-26', 200],
      ['2025-11-25', 400],
    ] as const) {
      const hello = item('hello', 'initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
      });
      const opened = await posted(sessions, hello, {});
      const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      expect((await posted(sessions, [item('a')], session)).status).toBe(status);
    }
    await Promise.all([stateless.close(), sessions.close()]);
  });
});
