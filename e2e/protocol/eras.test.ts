// oxlint-disable vitest/no-conditional-expect -- what can be seen of a rule differs from route to route
import { afterEach, describe, expect, it } from 'vitest';
import { McpServer } from '@portico/server';
import { isSpecMethod } from '@portico/spec';
import { type RawClient, SERVER_ROUTES, type Seen } from './server-routes.ts';
import { createTestServer } from './test-server.ts';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

const INFO = { name: 'eras', version: '1' };
const CAPABILITIES = { sampling: {}, elicitation: { form: {} } };
const codeOf = (message: Seen): unknown => (message['error'] as { code?: unknown } | undefined)?.code;
const textOf = (message: Seen): string => {
  const { result } = message as { result?: { content?: { text?: string }[] } };
  return result?.content?.[0]?.text ?? JSON.stringify(message);
};

/** Requests that the other era has, and those that only the other side may send. */
const NOT_SERVED = {
  legacy: [
    'server/discover',
    'subscriptions/listen',
    'tasks/update',
    'sampling/createMessage',
    'elicitation/create',
    'roots/list',
  ],
  modern: [
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/result',
    'tasks/list',
    'sampling/createMessage',
    'elicitation/create',
    'roots/list',
  ],
} as const;

describe.each(SERVER_ROUTES)('a server over $name', (route) => {
  it('W22 tells of a legacy client by three getters, and of a modern one in the envelope alone', async () => {
    const made: McpServer[] = [];
    const client = await route.open(
      () => {
        const server = new McpServer(INFO, { capabilities: { logging: {} } });
        made.push(server);
        server.registerTool('who', {}, ({ mcpReq }) => {
          const { server: low } = server;
          const told = [
            low.getClientVersion(),
            low.getClientCapabilities(),
            low.getNegotiatedProtocolVersion(),
            mcpReq.envelope,
          ].map((value) => value ?? null);
          return { content: [{ type: 'text', text: JSON.stringify(told) }] };
        });
        expect([
          server.server.getClientVersion(),
          server.server.getClientCapabilities(),
          server.server.getNegotiatedProtocolVersion(),
        ]).toEqual([undefined, undefined, undefined]);
        return server;
      },
      { version: '2025-06-18', capabilities: CAPABILITIES, handshake: false },
    );
    open.push(client);
    const raw = { name: 'raw', version: '1' };
    if (route.era === 'legacy') {
      for (const { server } of made) {
        expect([
          server.getClientVersion(),
          server.getClientCapabilities(),
          server.getNegotiatedProtocolVersion(),
        ]).toEqual([undefined, undefined, undefined]);
      }
      await client.request('hello', 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: CAPABILITIES,
        clientInfo: raw,
      });
      await client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    }
    const told = JSON.parse(textOf(await client.request(1, 'tools/call', { name: 'who' }))) as unknown;
    expect(told).toEqual(
      route.era === 'legacy'
        ? [raw, CAPABILITIES, '2025-06-18', null]
        : [
            null,
            null,
            null,
            {
              protocolVersion: '2026-07-28',
              clientCapabilities: {},
              clientInfo: { name: 'wire', version: '1' },
            },
          ],
    );
  });

  it('W37 serves no method of the other era, whoever registered it, and a vendor’s in both', async () => {
    const methods = NOT_SERVED[route.era];
    for (const registered of [false, true]) {
      const ran: string[] = [];
      const client = await route.open(() => {
        const server = new McpServer(INFO, {
          capabilities: { logging: {}, resources: { subscribe: true } },
        });
        server.server.setRequestHandler('com.example/own', () => ({ own: 1 }));
        if (!registered) return server;
        for (const method of methods) {
          server.server.setRequestHandler(method, () => {
            ran.push(method);
            return {};
          });
        }
        return server;
      });
      open.push(client);
      for (const method of methods) {
        expect(isSpecMethod(method)).toBe(true);
        const answer = await client.request(method, method, { level: 'info', uri: 'x:y', taskId: 't' });
        expect([method, registered, codeOf(answer)]).toEqual([method, registered, -32_601]);
      }
      expect(ran).toEqual([]);
      const own = await client.request('own', 'com.example/own');
      expect(own['result']).toMatchObject({ own: 1 });
    }
  });
});

describe.each(SERVER_ROUTES.filter(({ era }) => era === 'legacy'))('a server over $name', (route) => {
  it('W23 answers pings by itself, and lets handlers take the place of its own', async () => {
    const plain = await route.open(createTestServer().make);
    open.push(plain);
    expect((await plain.request('p', 'ping'))['result']).toEqual({});
    expect((await plain.request('l', 'logging/setLevel', { level: 'error' }))['result']).toEqual({});
    const levels: unknown[] = [];
    const client = await route.open(
      () => {
        const server = createTestServer().make();
        const { server: low } = server;
        low.setRequestHandler('ping', () => ({ _meta: { 'com.example/pong': 1 } }));
        low.setRequestHandler('logging/setLevel', ({ params }) => {
          levels.push(params['level']);
          return { _meta: { 'com.example/own': 1 } };
        });
        low.setRequestHandler('initialize', ({ params }) => ({
          protocolVersion: params['protocolVersion'],
          capabilities: {},
          serverInfo: { name: 'mine', version: '9' },
        }));
        return server;
      },
      { handshake: false },
    );
    open.push(client);
    const hello = await client.request('hello', 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: INFO,
    });
    expect(hello['result']).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 'mine', version: '9' },
    });
    await client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect((await client.request('p', 'ping'))['result']).toEqual({ _meta: { 'com.example/pong': 1 } });
    const set = await client.request('l', 'logging/setLevel', { level: 'debug' });
    expect(set['result']).toEqual({ _meta: { 'com.example/own': 1 } });
    // Whether a level exists is for the handler to say, which took the place of ours.
    const odd = await client.request('o', 'logging/setLevel', { level: 'com.example/chatty' });
    expect(odd['result']).toEqual({ _meta: { 'com.example/own': 1 } });
    expect(levels).toEqual(['debug', 'com.example/chatty']);
    expect(await plain.request('x', 'logging/setLevel', { level: 'com.example/chatty' })).toMatchObject({
      error: { code: -32_602 },
    });
  });
});

describe.each(SERVER_ROUTES.filter(({ era }) => era === 'modern'))('a server over $name', (route) => {
  it('W39 ignores answers that nobody asked for, and serves on', async () => {
    const { seen, make } = createTestServer();
    const client = await route.open(make);
    open.push(client);
    // The first request settles the era of a pipe.
    await client.request('first', 'tools/list');
    const before = client.faults.length;
    const answers = [
      { jsonrpc: '2.0', id: 1, result: { action: 'accept', content: {} } },
      { jsonrpc: '2.0', id: 'first', result: {} },
      { jsonrpc: '2.0', id: 7, error: { code: -32_603, message: 'no' } },
    ];
    for (const answer of answers) {
      const status = await client.send(JSON.stringify(answer));
      // A POST has to be answered with something: a refusal of the form, without an id.
      if (route.transport === 'http') expect(status).toBe(400);
    }
    const last = await client.request('last', 'tools/call', { name: 'echo', arguments: { value: 'x' } });
    expect(textOf(last)).toBe('x');
    expect(seen.runs).toEqual(['echo']);
    expect(client.faults).toHaveLength(before + answers.length);
    const others = client.received.filter(({ id }) => id !== 'first' && id !== 'last');
    if (route.transport !== 'http') expect(others).toEqual([]);
    else for (const message of others) expect(message).not.toHaveProperty('id');
  });
});
