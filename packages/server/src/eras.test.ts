import { afterEach, describe, expect, it } from 'vitest';
import { type Wire, modern, openWire } from '../../../testing/mcp-wire.ts';
import { inputRequired } from './input-required.ts';
import { McpServer } from './mcp/mcp-server.ts';
import { Server } from './server.ts';
import { type McpHttpHandler, createMcpHandler } from './http/create-mcp-handler.ts';
import { post } from '../../../testing/mcp-http.ts';

const INFO = { name: 'eras', version: '1', title: 'Eras' };
const wires: Wire[] = [];

const VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

async function open(server: McpServer | Server, options?: { legacy: 'reject' }): Promise<Wire> {
  const low = server instanceof McpServer ? server.server : server;
  const wire = await openWire((transport) =>
    options === undefined ? server.connect(transport) : low.attach(transport, options),
  );
  wires.push(wire);
  return wire;
}

afterEach(async () => {
  await Promise.all(wires.splice(0).map((wire) => wire.close()));
});

const withTool = (): McpServer => {
  const server = new McpServer(INFO, { instructions: 'Be kind.' });
  server.registerTool('who', {}, ({ client, mcpReq }) => ({
    content: [
      {
        type: 'text',
        text: JSON.stringify([client.era, client.info?.name, client.capabilities, mcpReq._meta]),
      },
    ],
  }));
  return server;
};

const heard: string[] = [];

/** A server that notes the notifications that reach it. */
const hearing = (supportedProtocolVersions?: string[]): McpServer => {
  const server = new McpServer(
    INFO,
    supportedProtocolVersions === undefined ? {} : { supportedProtocolVersions },
  );
  server.server.fallbackNotificationHandler = ({ method }) => void heard.push(method);
  return server;
};

describe('legacy openings', () => {
  it('answers a served version with itself and anything else with the newest legacy one', async () => {
    const asked = [
      '2025-11-25',
      '2025-06-18',
      '2025-03-26',
      '2024-11-05',
      '2099-01-01',
      'nonsense',
      '2026-07-28',
    ];
    const answered = [
      '2025-11-25',
      '2025-06-18',
      '2025-03-26',
      '2024-11-05',
      '2025-11-25',
      '2025-11-25',
      '2025-11-25',
    ];
    const overMemory = await Promise.all(
      asked.map(async (version) => (await (await open(withTool())).initialize(version))['protocolVersion']),
    );
    expect(overMemory).toEqual(answered);
    const handler = createMcpHandler(withTool());
    const overHttp = await Promise.all(
      asked.map(async (protocolVersion) => {
        const params = { protocolVersion, capabilities: {}, clientInfo: INFO };
        const reply = await post(handler, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
        return (reply.message['result'] as { protocolVersion: string }).protocolVersion;
      }),
    );
    expect(overHttp).toEqual(answered);
  });

  it('refuses a second handshake and a handshake without its parts', async () => {
    const wire = await open(withTool());
    expect((await wire.error('initialize', { protocolVersion: 7 })).code).toBe(-32_602);
    const fresh = await open(withTool());
    await fresh.initialize();
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
    expect((await fresh.error('initialize', params)).code).toBe(-32_600);
  });

  it('sends no change notification before the client has confirmed the handshake', async () => {
    const server = withTool();
    const wire = await open(server);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
    await wire.result('initialize', params);
    server.sendToolListChanged();
    expect(wire.received).toHaveLength(1);
    await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    server.sendToolListChanged();
    expect(wire.received.at(-1)).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  });

  it('never lets a modern member into a legacy answer', async () => {
    const server = withTool();
    const cacheHint = { ttlMs: 5000, cacheScope: 'public' as const };
    server.registerResource('r', 'test://r', { cacheHint }, () => ({ contents: [] }));
    const wire = await open(server);
    await wire.initialize();
    for (const [method, params] of [
      ['tools/list', undefined],
      ['tools/call', { name: 'who' }],
      ['resources/list', undefined],
      ['resources/read', { uri: 'test://r' }],
      ['ping', undefined],
    ] as const) {
      const text = JSON.stringify(await wire.result(method, params));
      expect(text).not.toMatch(/resultType|ttlMs|cacheScope|io\.modelcontextprotocol/);
    }
  });
});

describe('modern requests', () => {
  it('are served without any handshake, discovery first or not', async () => {
    const wire = await open(withTool());
    expect(await wire.result('tools/call', modern({ name: 'who' }))).toMatchObject({
      resultType: 'complete',
      content: [{ text: '["modern","wire",{},null]' }],
      _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
    });
    expect(await wire.result('server/discover', modern())).toEqual({
      resultType: 'complete',
      supportedVersions: VERSIONS,
      capabilities: { tools: { listChanged: true } },
      instructions: 'Be kind.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
    });
  });

  it('W28 are refused by name of what is missing in their envelope, and served without client info', async () => {
    const damaged = [
      [modern({}, { version: null }), 'protocolVersion'],
      [modern({}, { capabilities: null }), 'clientCapabilities'],
      [modern({}, { capabilities: 'all' }), 'clientCapabilities'],
      [modern({}, { info: { name: 1 } }), 'clientInfo'],
    ] as const;
    const wire = await open(withTool());
    const handler = createMcpHandler(withTool());
    for (const [params, named] of damaged) {
      const error = { code: -32_602, message: expect.stringContaining(named) as string };
      expect(await wire.error('tools/list', params)).toMatchObject(error);
      const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
      const reply = await post(handler, { jsonrpc: '2.0', id: 5, method: 'tools/list', params }, { headers });
      expect([reply.status, reply.message]).toMatchObject([400, { id: 5, error }]);
    }
    const nobody = modern({ name: 'who' }, { info: null });
    expect(JSON.stringify(await wire.result('tools/call', nobody))).toContain('[\\"modern\\",null,{},null]');
    const served = await post(handler, { jsonrpc: '2.0', id: 6, method: 'tools/call', params: nobody });
    expect(served.status).toBe(200);
  });

  it('W29 are each served from their own envelope', async () => {
    const server = new McpServer(INFO);
    server.registerTool('ask', {}, () =>
      inputRequired({
        inputRequests: {
          q: inputRequired.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } }),
        },
      }),
    );
    const wire = await open(server);
    const able = modern({ name: 'ask' }, { capabilities: { elicitation: {} } });
    const unable = modern({ name: 'ask' });
    const answers = await Promise.all([
      wire.request('tools/call', able),
      wire.request('tools/call', unable),
      wire.request('tools/call', able),
    ]);
    expect(answers).toMatchObject([
      { result: { resultType: 'input_required' } },
      { error: { code: -32_021 } },
      { result: { resultType: 'input_required' } },
    ]);
  });

  it('W31 in a revision that is not served are told which ones are', async () => {
    const wire = await open(withTool());
    const handler = createMcpHandler(withTool());
    const params = modern({}, { version: '2031-01-01' });
    const error = { code: -32_022, data: { supported: VERSIONS, requested: '2031-01-01' } };
    expect(await wire.error('tools/list', params)).toMatchObject(error);
    const reply = await post(handler, { jsonrpc: '2.0', id: 1, method: 'tools/list', params });
    expect([reply.status, reply.message['error']]).toMatchObject([400, error]);
    const only = new McpServer(INFO, { supportedProtocolVersions: ['2025-11-25'] });
    const disabled = await (await open(only)).error('tools/list', modern());
    expect(disabled).toMatchObject({
      code: -32_022,
      data: { supported: ['2025-11-25'], requested: '2026-07-28' },
    });
  });

  it('ask for discovery are told the versions of such a refusal, only modern ones where only they are served', async () => {
    const listed = async (options?: { legacy: 'reject' }): Promise<unknown[]> => {
      const wire = await open(withTool(), options);
      const overHttp = await post(createMcpHandler(withTool(), options), {
        jsonrpc: '2.0',
        id: 1,
        method: 'server/discover',
        params: modern(),
      });
      const unknown = modern({}, { version: '2031-01-01' });
      const refusal = await wire.error('tools/list', unknown);
      const refusedOverHttp = await post(createMcpHandler(withTool(), options), {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: unknown,
      });
      return [
        (await wire.result('server/discover', modern()))['supportedVersions'],
        overHttp.message['result'],
        refusal.data,
        refusedOverHttp.message['error'],
      ];
    };
    const expected = (versions: readonly string[]): unknown[] => [
      versions,
      { supportedVersions: versions },
      { supported: versions },
      { data: { supported: versions } },
    ];
    expect(await listed()).toMatchObject(expected(VERSIONS));
    expect(await listed({ legacy: 'reject' })).toMatchObject(expected(['2026-07-28']));
  });

  it('W30 that would need an undeclared capability get exactly what is missing', async () => {
    const server = new McpServer(INFO);
    server.registerTool('open_page', {}, () =>
      inputRequired({
        inputRequests: { page: inputRequired.elicitUrl({ message: 'Go', url: 'https://example.test/' }) },
      }),
    );
    server.registerTool('form', {}, () =>
      inputRequired({
        inputRequests: {
          q: inputRequired.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } }),
        },
      }),
    );
    const handler = createMcpHandler(server);
    const call = async (name: string, capabilities: object): Promise<unknown[]> => {
      const params = modern({ name }, { capabilities });
      const { status, message } = await post(handler, {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params,
      });
      const error = message['error'] as { code: number; data: { requiredCapabilities: object } } | undefined;
      return [status, error?.code, error?.data.requiredCapabilities];
    };
    expect(await call('open_page', {})).toEqual([400, -32_021, { elicitation: { url: {} } }]);
    expect(await call('open_page', { elicitation: {} })).toEqual([
      400,
      -32_021,
      { elicitation: { url: {} } },
    ]);
    expect(await call('open_page', { elicitation: { form: {} } })).toEqual([
      400,
      -32_021,
      { elicitation: { url: {} } },
    ]);
    expect(await call('open_page', { elicitation: { url: {} } })).toEqual([200, undefined, undefined]);
    expect(await call('form', { elicitation: {} })).toEqual([200, undefined, undefined]);
  });

  it('W38 never make the server write a request', async () => {
    const server = new McpServer(INFO);
    server.registerTool('all', {}, async ({ mcpReq }) => {
      const schema = { type: 'object' as const, properties: {} };
      const attempts = [
        () => mcpReq.elicitInput({ message: '?', requestedSchema: schema }),
        () => mcpReq.requestSampling({ messages: [], maxTokens: 1 }),
        () => mcpReq.send({ method: 'roots/list' }),
        () => server.server.elicitInput({ message: '?', requestedSchema: schema }),
        () => server.server.createMessage({ messages: [], maxTokens: 1 }),
        () => server.server.listRoots(),
        () => server.server.ping(),
      ];
      const outcomes = await Promise.allSettled(attempts.map((attempt) => attempt()));
      const text = outcomes
        .map((each) => (each.status === 'rejected' ? String(each.reason) : 'sent'))
        .join('\n');
      return { content: [{ type: 'text', text }] };
    });
    const wire = await open(server);
    const capabilities = { elicitation: {}, sampling: {}, roots: {} };
    const result = await wire.result('tools/call', modern({ name: 'all' }, { capabilities }));
    const { text } = (result['content'] as { text: string }[])[0] ?? { text: '' };
    expect(text.split('\n').every((line) => line.includes('inputRequired'))).toBe(true);
    expect(wire.received).toHaveLength(1);
  });
});

describe('one pipe', () => {
  it('is not bound by a probe, but by what follows it', async () => {
    const wire = await open(withTool());
    await wire.result('server/discover', modern());
    expect(await wire.initialize()).toMatchObject({ protocolVersion: '2025-11-25' });
    expect((await wire.error('server/discover', modern())).code).toBe(-32_601);
  });

  it('stays modern once a modern request has been served', async () => {
    const wire = await open(withTool());
    await wire.result('tools/list', modern());
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
    expect((await wire.error('initialize', params)).code).toBe(-32_022);
    expect((await wire.error('tools/list')).code).toBe(-32_602);
  });

  it('W49 refuses legacy openings where only the modern era is served, and stays open for it', async () => {
    const wire = await open(withTool(), { legacy: 'reject' });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
    const error = { code: -32_022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } };
    expect(await wire.error('initialize', params)).toMatchObject(error);
    await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(await wire.result('tools/list', modern())).toMatchObject({ resultType: 'complete' });
  });

  it.each([
    ['refuses them', (): McpHttpHandler => createMcpHandler(hearing(), { legacy: 'reject' })],
    ['serves no legacy revision', (): McpHttpHandler => createMcpHandler(hearing(['2026-07-28']))],
  ])('W49 refuses legacy openings over HTTP where the endpoint %s', async (_why, make) => {
    heard.length = 0;
    const handler = make();
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
    const error = { code: -32_022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } };
    const opening = await post(handler, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect([opening.status, opening.message['error']]).toMatchObject([400, error]);
    const listing = await post(handler, { jsonrpc: '2.0', id: 2, method: 'tools/list' });
    expect([listing.status, listing.message]).toMatchObject([400, { id: 2, error: { code: -32_022 } }]);
    const note = await post(handler, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([note.status, note.text]).toEqual([202, '']);
    const own = { jsonrpc: '2.0', method: 'com.example/note' };
    expect([(await post(handler, own)).status, heard]).toEqual([202, []]);
    const ping = { jsonrpc: '2.0', id: 4, method: 'ping' };
    for (const body of [{ jsonrpc: '2.0', id: 3, result: {} }, [ping], [ping, ping], [own], []]) {
      const refused = await post(handler, body);
      expect([body, refused.status, refused.message]).toMatchObject([
        body,
        400,
        { error: { code: -32_600 } },
      ]);
    }
    expect((await post(handler, { ...own, params: modern() })).status).toBe(202);
    expect(heard).toEqual(['com.example/note']);
  });
});

describe('methods', () => {
  it('W58 that belong to nothing advertised are not found', async () => {
    const wire = await open(new McpServer(INFO));
    await wire.initialize();
    const methods = [
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/subscribe',
      'completion/complete',
      'logging/setLevel',
    ];
    for (const method of methods) expect((await wire.error(method)).code).toBe(-32_601);
    const resources = new McpServer(INFO);
    resources.registerResource('r', 'test://r', {}, () => ({ contents: [] }));
    const other = await open(resources);
    await other.initialize();
    await other.result('resources/list');
    expect((await other.error('resources/subscribe', { uri: 'test://r' })).code).toBe(-32_601);
  });

  it('of the other era are not found, and vendor methods are served in both', async () => {
    const server = new Server(INFO);
    server.setRequestHandler('vendor/echo', ({ params }) => ({ said: params['word'] }));
    const legacy = await open(server);
    await legacy.initialize();
    expect((await legacy.error('server/discover')).code).toBe(-32_601);
    expect((await legacy.error('subscriptions/listen')).code).toBe(-32_601);
    expect(await legacy.result('vendor/echo', { word: 'hi' })).toEqual({ said: 'hi' });
    await legacy.close();
    const now = await open(server);
    expect((await now.error('ping', modern())).code).toBe(-32_601);
    expect((await now.error('resources/subscribe', modern())).code).toBe(-32_601);
    expect(await now.result('vendor/echo', modern({ word: 'hi' }))).toMatchObject({ said: 'hi' });
    expect((await now.error('constructor', modern())).code).toBe(-32_601);
  });

  it('are advertised exactly as far as something is registered', async () => {
    const advertised = async (server: McpServer): Promise<unknown> =>
      (await (await open(server)).result('server/discover', modern()))['capabilities'];
    expect(await advertised(new McpServer(INFO))).toEqual({});
    const quiet = new McpServer(INFO, { capabilities: { tools: { listChanged: false }, logging: {} } });
    quiet.registerTool('t', {}, () => ({ content: [] }));
    expect(await advertised(quiet)).toEqual({ tools: { listChanged: false }, logging: {} });
    const declared = new McpServer(INFO, { capabilities: { prompts: {}, resources: { subscribe: true } } });
    expect(await advertised(declared)).toEqual({
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
    });
    const wire = await open(new McpServer(INFO, { capabilities: { prompts: {} } }));
    expect(await wire.result('prompts/list', modern())).toMatchObject({ prompts: [] });
    const given = new Server(INFO, { capabilities: { tools: {}, experimental: { 'x/y': { z: 1 } } } });
    const low = await open(given);
    expect((await low.result('server/discover', modern()))['capabilities']).toEqual({
      tools: {},
      experimental: { 'x/y': { z: 1 } },
    });
  });

  it('can be replaced, built-in ones too', async () => {
    const server = new Server(INFO);
    server.setRequestHandler('ping', () => ({ pong: true }));
    const wire = await open(server);
    await wire.initialize();
    expect(await wire.result('ping')).toEqual({ pong: true });
    expect(() => server.setRequestHandler('tools/list', () => ({}))).toThrow(/tools/);
  });
});
