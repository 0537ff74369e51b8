// oxlint-disable vitest/no-conditional-expect -- which versions are taken is the point of the tables
import { createMemoryTransportPair } from '@portico/rpc';
import type { JSONRPCMessage, Transport } from '@portico/rpc';
import { CODECS, isSpecMethod } from '@portico/spec';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedFetch, initializeResult, jsonResult } from '../../../testing/scripted-fetch.ts';
import type { ScriptedFetch } from '../../../testing/scripted-fetch.ts';
import { createScriptedServer, discovered } from '../../../testing/scripted-server.ts';
import { createScriptedTransport } from '../../../testing/scripted-transport.ts';
import { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';
import { StreamableHTTPClientTransport } from './http/transport.ts';

const INFO = { name: 'lifecycle', version: '1' };
const PIN = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
const ALL = {
  tools: {},
  resources: { subscribe: true },
  prompts: {},
  completions: {},
  logging: {},
};
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
const methodOf = (message: JSONRPCMessage): string => ('method' in message ? message.method : '-');
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('the handshake', () => {
  it('W16 sends nothing before the result, and the confirmation once and before every call', async () => {
    const transport = createScriptedTransport();
    const client = new Client(INFO, { capabilities: { roots: { listChanged: true } } });
    const early: unknown[] = [];
    const note = (error: unknown): void => void early.push(codeOf(error));
    const attempt = (): void => {
      client.callTool({ name: 'x' }).catch(note);
      client.invoke('com.example/own', {}).catch(note);
      client.sendRootsListChanged().catch(note);
      client.listTools().catch(note);
    };
    const connecting = client.connect(transport);
    attempt();
    await turns();
    attempt();
    await turns();
    expect(early).toEqual(Array.from({ length: 8 }, () => 'NOT_CONNECTED'));
    expect(transport.sent.map(methodOf)).toEqual(['initialize']);
    transport.receive({
      jsonrpc: '2.0',
      id: (transport.sent[0] as { id: number }).id,
      result: { ...initializeResult(), capabilities: ALL },
    });
    const called = connecting.then(() => Promise.race([client.callTool({ name: 'x' }), turns()]));
    await called;
    await Promise.race([client.listPrompts(), turns()]);
    expect(transport.sent.map(methodOf)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'prompts/list',
    ]);
  });

  it('W16 is confirmed over HTTP before the first call and the search for a stream', async () => {
    const server = http();
    const client = new Client(INFO, { clock: createManualClock() });
    await client.connect(server.transport);
    await client.callTool({ name: 'x' });
    expect(server.fetch.lines()).toEqual([
      'POST initialize',
      'POST notifications/initialized',
      'GET -',
      'POST tools/call',
    ]);
  });

  const SPOKEN = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
  const FOREIGN = ['1999-01-01', '2026-07-28', '2099-01-01', 'nonsense', ''];

  it.each(['memory', 'http'] as const)(
    'W19 works at any version that the server picks and this side speaks, else leaves, over %s',
    async (kind) => {
      for (const version of [...SPOKEN, ...FOREIGN]) {
        const clock = createManualClock();
        const { transport } =
          kind === 'http'
            ? http(version)
            : await createScriptedServer({
                clock,
                protocolVersion: version,
                answers: { 'tools/call': () => ({ content: [] }) },
              });
        let closes = 0;
        transport.onclose = () => void (closes += 1);
        const client = new Client(INFO, { clock });
        const outcome = await client.connect(transport).catch((error: unknown) => error);
        if (SPOKEN.includes(version)) {
          expect([version, outcome]).toEqual([version, undefined]);
          expect(client.getNegotiatedProtocolVersion()).toBe(version);
          expect(await client.callTool({ name: 'x' })).toEqual({ content: [] });
          continue;
        }
        expect(outcome).toMatchObject({ data: { requested: '2025-11-25', answered: version } });
        expect((outcome as Error).message).toContain('2025-11-25');
        expect((outcome as Error).message).toContain(version);
        expect([version, client.transport, closes]).toEqual([version, undefined, 1]);
        await expect(client.callTool({ name: 'x' })).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
        await expect(transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toMatchObject({
          name: expect.any(String) as string,
        });
        expect(clock.armed).toBe(0);
      }
    },
  );
});

/** A legacy server over HTTP. */
function http(
  version = '2025-11-25',
  options: Partial<ConstructorParameters<typeof StreamableHTTPClientTransport>[1]> = {},
): { transport: Transport; fetch: ScriptedFetch } {
  const fetch = createScriptedFetch((request) => {
    switch (request.rpc) {
      case 'initialize':
        return jsonResult(request, { ...initializeResult(version), capabilities: ALL });
      case 'tools/call':
        return jsonResult(request, { content: [] });
      case 'ping':
        return jsonResult(request, {});
      default:
        return new Response(null, { status: request.method === 'GET' ? 405 : 202 });
    }
  });
  const transport = new StreamableHTTPClientTransport('http://server.test/mcp', {
    fetch: fetch.fetch,
    clock: createManualClock(),
    ...options,
  });
  return { transport, fetch };
}

describe('pings', () => {
  it('W23 are sent and answered, by a handler of one’s own where there is one', async () => {
    const server = await createScriptedServer({ clock: createManualClock() });
    const client = new Client(INFO);
    await client.connect(server.transport);
    expect(await client.ping()).toEqual({});
    expect(await server.peer.request('ping')).toEqual({});
    client.setRequestHandler('ping', () => ({ _meta: { 'com.example/pong': 1 } }));
    expect(await server.peer.request('ping')).toEqual({ _meta: { 'com.example/pong': 1 } });
    const remote = http();
    const other = new Client(INFO, { clock: createManualClock() });
    await other.connect(remote.transport);
    expect(await other.ping()).toEqual({});
  });
});

describe('a session taken over', () => {
  it('W25 begins without a handshake, with its id on everything and a stream of its own', async () => {
    for (const protocolVersion of ['2025-06-18', undefined]) {
      const options = protocolVersion === undefined ? {} : { protocolVersion };
      const { transport, fetch } = http('2025-11-25', { sessionId: 'kept', ...options });
      const client = new Client(INFO, { clock: createManualClock() });
      await client.connect(transport);
      await client.callTool({ name: 'x' });
      await client.close();
      expect(fetch.lines()).toEqual(['GET -', 'POST tools/call', 'DELETE -']);
      for (const { headers } of fetch.log) {
        expect(headers.get('mcp-session-id')).toBe('kept');
        expect(headers.get('mcp-protocol-version')).toBe(protocolVersion ?? '2025-11-25');
      }
    }
  });

  it('W25 hears of the faults of its transport before it is open', async () => {
    const transport = createScriptedTransport();
    const client = new Client(INFO);
    const errors: string[] = [];
    client.onerror = (error) => errors.push(error.message);
    const start = transport.start.bind(transport);
    transport.start = async () => {
      await start();
      transport.onerror?.(new TypeError('while it started'));
    };
    const connecting = client.connect(transport);
    await turns();
    transport.onerror?.(new TypeError('garbage'));
    const { id } = transport.sent[0] as { id: number };
    transport.receive({ jsonrpc: '2.0', id, result: initializeResult() });
    await connecting;
    expect(errors).toEqual(['while it started', 'garbage']);
  });
});

interface Tapped {
  readonly client: Client;
  /** Methods of what was sent once the connection was open. */
  readonly sent: readonly string[];
}

/** A client at a revision whose every message can be seen. */
async function at(version: string, options: ClientOptions = {}): Promise<Tapped> {
  const clock = createManualClock();
  const server = await createScriptedServer({
    clock,
    protocolVersion: version,
    capabilities: ALL,
    answers: {
      'server/discover': () => discovered(ALL),
      'com.example/own': () => ({ own: 1 }),
    },
  });
  const modern = version === '2026-07-28' ? PIN : {};
  const client = new Client(INFO, {
    clock,
    capabilities: { roots: { listChanged: true }, sampling: {} },
    ...modern,
    ...options,
  });
  const { transport } = server;
  await client.connect(transport);
  const sent: string[] = [];
  const send = transport.send.bind(transport);
  transport.send = (message, given) => {
    sent.push(methodOf(message));
    return send(message, given);
  };
  return { client, sent };
}

/** All methods of all revisions. */
const METHODS = [
  'initialize',
  'notifications/initialized',
  'ping',
  'server/discover',
  'subscriptions/listen',
  'notifications/subscriptions/acknowledged',
  'notifications/cancelled',
  'notifications/progress',
  'tools/list',
  'tools/call',
  'notifications/tools/list_changed',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'prompts/list',
  'prompts/get',
  'notifications/prompts/list_changed',
  'completion/complete',
  'logging/setLevel',
  'notifications/message',
  'sampling/createMessage',
  'roots/list',
  'notifications/roots/list_changed',
  'elicitation/create',
  'notifications/elicitation/complete',
  'tasks/get',
  'tasks/cancel',
  'tasks/update',
  'tasks/result',
  'tasks/list',
  'notifications/tasks/status',
  'notifications/tasks',
];

const SERVER_SENDS: ReadonlySet<string> = new Set([
  'notifications/subscriptions/acknowledged',
  'notifications/tools/list_changed',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
  'notifications/message',
  'sampling/createMessage',
  'roots/list',
  'elicitation/create',
  'notifications/elicitation/complete',
  'notifications/tasks',
]);
const MODERN_ONLY: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen', 'tasks/update']);
const TASKS: ReadonlySet<string> = new Set([
  'tasks/get',
  'tasks/cancel',
  'tasks/result',
  'tasks/list',
  'notifications/tasks/status',
]);
const NOT_MODERN: ReadonlySet<string> = new Set([
  'initialize',
  'notifications/initialized',
  'ping',
  'resources/subscribe',
  'resources/unsubscribe',
  'logging/setLevel',
  'notifications/roots/list_changed',
  'notifications/progress',
  'tasks/result',
  'tasks/list',
  'notifications/tasks/status',
]);

function maySend(method: string, version: string): boolean {
  if (SERVER_SENDS.has(method)) return false;
  if (version === '2026-07-28') return !NOT_MODERN.has(method);
  return !MODERN_ONLY.has(method) && (version === '2025-11-25' || !TASKS.has(method));
}

describe('methods of other revisions', () => {
  it.each(CODECS.map(({ version }) => version))(
    'W26 W37 fail before anything is sent to a server of %s, and those of vendors pass',
    async (version) => {
      const { client, sent } = await at(version);
      for (const method of METHODS) {
        expect(isSpecMethod(method)).toBe(true);
        const before = sent.length;
        const sending = method.startsWith('notifications/')
          ? client.notification({ method, params: {} })
          : client.invoke(method, {}, { signal: AbortSignal.timeout(5_000) });
        const outcome = await Promise.race([sending.then(() => 'sent', codeOf), turns()]);
        await turns();
        const refused = outcome === 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION';
        // Progress belongs to a request that is being served; any other is dropped.
        const goesOut = maySend(method, version) && method !== 'notifications/progress';
        const went = sent.slice(before).includes(method);
        expect([method, refused, went]).toEqual([method, !maySend(method, version), goesOut]);
      }
      expect(await client.invoke('com.example/own', {})).toEqual({ own: 1 });
      await client.notification({ method: 'com.example/note' });
      await turns();
      expect(sent.at(-1)).toBe('com.example/note');
    },
  );

  it('W37 name what takes their place', async () => {
    const legacy = (await at('2025-11-25')).client;
    const modern = (await at('2026-07-28')).client;
    const cases: readonly [() => Promise<unknown>, RegExp][] = [
      [() => legacy.listen({ toolsListChanged: true }), /subscribeResource|listChanged/],
      [() => legacy.discover(), /handshake/],
      [() => modern.subscribeResource({ uri: 'x:y' }), /listen\(\)/],
      [() => modern.unsubscribeResource({ uri: 'x:y' }), /close\(\)/],
      [() => modern.setLoggingLevel('info'), /_meta/],
      [() => modern.ping(), /requests stand for themselves/],
      [() => modern.sendRootsListChanged(), /roots are asked for/],
    ];
    for (const [call, message] of cases) {
      await expect(call()).rejects.toMatchObject({
        code: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
        message: expect.stringMatching(message) as string,
      });
    }
  });
});

const BAD_IDENTITIES: readonly unknown[] = [
  undefined,
  null,
  7,
  'name',
  [],
  {},
  { name: 'x' },
  { version: '1' },
  { name: 1, version: 2 },
  { name: '', version: null },
];

describe('the identity of a modern server', () => {
  it('W34 counts as absent when it is malformed, and changes nothing', async () => {
    for (const identity of BAD_IDENTITIES) {
      const meta = identity === undefined ? {} : { 'io.modelcontextprotocol/serverInfo': identity };
      const [transport, other] = createMemoryTransportPair();
      const sent: unknown[] = [];
      other.onmessage = (message) => {
        if (!('id' in message) || !('method' in message)) return;
        sent.push(message.method);
        const content = message.method === 'server/discover' ? discovered(ALL) : { content: [] };
        const result = { ...content, resultType: 'complete', _meta: meta };
        void other.send({ jsonrpc: '2.0', id: message.id, result });
      };
      await other.start();
      const client = new Client(INFO, { clock: createManualClock(), ...PIN });
      await client.connect(transport);
      expect([identity, client.getServerVersion()]).toEqual([identity, undefined]);
      expect(client.getProtocolEra()).toBe('modern');
      expect((await client.callTool({ name: 'x' })).content).toEqual([]);
      expect(sent).toEqual(['server/discover', 'tools/call']);
    }
  });
});
