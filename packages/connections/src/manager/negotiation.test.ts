import { describe, expect, it } from 'vitest';
import { WORLD_URL, createManagedWorld, echoServer } from '../../../../testing/managed-world.ts';
import type { WorldRequest } from '../../../../testing/managed-world.ts';

const metaOf = ({ message }: WorldRequest): Record<string, unknown> =>
  ((message['params'] as Record<string, unknown> | undefined)?.['_meta'] ?? {}) as Record<string, unknown>;

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** What a server was told of this side, in the form of its era. */
function told(requests: readonly WorldRequest[]): { clientInfo: unknown; capabilities: unknown } {
  const opening = requests.find(({ rpc }) => rpc === 'initialize');
  if (opening !== undefined) {
    return opening.message['params'] as { clientInfo: unknown; capabilities: unknown };
  }
  const probe = requests.find(({ rpc }) => rpc === 'server/discover');
  const meta = probe === undefined ? {} : metaOf(probe);
  return { clientInfo: meta[CLIENT_INFO], capabilities: meta[CAPABILITIES] };
}

describe('connecting to a managed server', () => {
  it('R19 asks once for the era, and shakes hands where the answer is not from a modern server', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    await world.add('a');
    expect(world.lines().slice(0, 3)).toEqual([
      'POST server/discover',
      'POST initialize',
      'POST notifications/initialized',
    ]);
    const modern = createManagedWorld({ era: 'modern' });
    await modern.add('a');
    expect(modern.lines()).not.toContain('POST initialize');
  });

  it('R20 shakes hands at once in legacy mode', async () => {
    const world = createManagedWorld();
    await world.add('a', { url: WORLD_URL, protocolNegotiation: 'legacy' });
    expect(world.lines()[0]).toBe('POST initialize');
    expect(world.lines()).not.toContain('POST server/discover');
    expect(world.server()).toMatchObject({ state: 'ready', protocolEra: 'legacy' });
  });

  it('R20 never shakes hands when a modern version is pinned', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    const server = await world.add('a', { url: WORLD_URL, protocolNegotiation: { pin: '2026-07-28' } });
    expect(server).toMatchObject({
      state: 'failed',
      failure: { code: 'version_unsupported', retryable: false },
    });
    expect(world.lines()).not.toContain('POST initialize');
  });

  it('R22 does not ask again where the era is known', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    await world.add('a');
    await world.add('b');
    await world.server('a').reconnect();
    expect(world.lines().filter((line) => line === 'POST server/discover')).toHaveLength(1);
    expect(world.server('b').state).toBe('ready');
  });

  it.each([
    ['the handshake', 'initialize'],
    ['the first list of tools', 'tools/list'],
  ])('R23 is over in time when %s hangs', async (_name, hanging) => {
    const aborted: string[] = [];
    const world = createManagedWorld({
      era: 'legacy',
      script: ({ rpc, signal }) =>
        rpc !== hanging
          ? undefined
          : new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => {
                aborted.push(rpc);
                reject(new DOMException('given up', 'AbortError'));
              });
            }),
    });
    world.manager.addServer('a', { url: WORLD_URL, timeout: 20_000 });
    const seen = world.record();
    await world.clock.advance(4_999);
    expect(aborted).toEqual([]);
    await world.clock.advance(15_001);
    expect(world.server()).toMatchObject({ state: 'failed', failure: { code: 'connect_timeout' } });
    // A session that the handshake begins after all is to be ended: its answer is waited for a little.
    await world.clock.advance(2_000);
    expect(aborted).toContain(hanging);
    expect(world.clock.armed).toBe(0);
    await world.clock.advance(120_000);
    expect(seen.some(({ state }) => state === 'ready')).toBe(false);
  });

  it('R23 gives the question about the era a third of a short time', async () => {
    const world = createManagedWorld({
      era: 'legacy',
      script: ({ rpc, signal }) =>
        rpc !== 'server/discover'
          ? undefined
          : new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')));
            }),
    });
    world.manager.addServer('a', { url: WORLD_URL, timeout: 6_000 });
    await world.clock.advance(1_999);
    expect(world.lines()).not.toContain('POST initialize');
    await world.clock.advance(1);
    expect(world.lines()).toContain('POST initialize');
  });

  const INFO = {
    name: 'app',
    version: '2.0.0',
    title: 'App',
    description: 'An app',
    websiteUrl: 'https://app.test',
    icons: [{ src: 'https://app.test/icon.png' }],
  };

  it.each(['legacy', 'modern'] as const)('R24 says who connects, %s', async (era) => {
    const world = createManagedWorld({ era, defaults: { clientInfo: { name: 'all', version: '1' } } });
    await world.add('a', { url: WORLD_URL, clientInfo: INFO });
    expect(told(world.sent).clientInfo).toEqual(INFO);
    const other = createManagedWorld({ era, defaults: { clientInfo: { name: 'all', version: '1' } } });
    await other.add('a');
    expect(told(other.sent).clientInfo).toEqual({ name: 'all', version: '1' });
    const plain = createManagedWorld({ era });
    await plain.add('a');
    expect(told(plain.sent).clientInfo).toEqual({
      name: 'portico',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    });
  });

  it.each(['legacy', 'modern'] as const)('R25 says that views are shown, %s', async (era) => {
    const world = createManagedWorld({ era });
    await world.add('a', {
      url: WORLD_URL,
      clientOptions: { capabilities: { views: true, extensions: { 'com.example/more': {} } } },
    });
    expect(told(world.sent).capabilities).toMatchObject({
      extensions: {
        'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
        'com.example/more': {},
      },
    });
    expect(told(world.sent).capabilities).not.toHaveProperty('views');
  });

  it.each(['legacy', 'modern'] as const)('R115 says that questions can be asked, %s', async (era) => {
    const world = createManagedWorld({ era });
    await world.add('a');
    expect(told(world.sent).capabilities).toMatchObject({ sampling: {}, elicitation: { form: {}, url: {} } });
    const bare = createManagedWorld({ era, hasQueues: false });
    const declaration = bare.manager.declare();
    declaration.follow({ a: { url: WORLD_URL } });
    await bare.settle();
    expect(told(bare.sent).capabilities).not.toHaveProperty('sampling');
    expect(told(bare.sent).capabilities).not.toHaveProperty('elicitation');
    declaration.setCallbacks({ a: { onSampling: () => Promise.reject(new Error('unused')) } });
    await bare.server().reconnect();
    const later = bare.sent.slice(bare.lines().lastIndexOf('POST tools/list'));
    const offered = metaOf(later[0] as WorldRequest)[CAPABILITIES] ?? told(bare.sent.slice(4)).capabilities;
    expect(offered).toHaveProperty('sampling');
    expect(offered).not.toHaveProperty('elicitation');
  });

  it.each(['legacy', 'modern'] as const)('R27 sends the headers with every request, %s', async (era) => {
    const world = createManagedWorld({ era });
    const server = await world.add('a', {
      url: WORLD_URL,
      headers: { 'X-Team': 'blue', accept: 'application/json, text/event-stream' },
      autoReconnect: { healthCheckInterval: 1_000 },
    });
    await server.callTool('echo');
    await world.clock.advance(1_000);
    await server.disconnect();
    const methods = new Set(world.sent.map(({ method }) => method));
    expect(methods).toContain('HEAD');
    expect(methods.has('DELETE')).toBe(era === 'legacy');
    for (const { headers } of world.sent) expect(headers.get('x-team')).toBe('blue');
  });

  it('R27 R67 does not sign in where the headers bring an authorization', async () => {
    const world = createManagedWorld({
      script: ({ headers }) =>
        headers.get('authorization') === 'Bearer right'
          ? undefined
          : new Response('no', {
              status: 401,
              headers: { 'www-authenticate': 'Bearer resource_metadata="https://mcp.test/meta"' },
            }),
    });
    const server = await world.add('a', { url: WORLD_URL, headers: { authorization: 'Bearer wrong' } });
    expect(server).toMatchObject({ state: 'failed', failure: { code: 'auth_failed', retryable: false } });
    expect(world.sent.every(({ url }) => url.href === WORLD_URL)).toBe(true);
    await server.setHeaders({ AUTHORIZATION: 'Bearer right' });
    expect(world.server().state).toBe('ready');
  });

  it('R29 is ready without a stream when the server refuses one, and asks once', async () => {
    const world = createManagedWorld({
      era: 'legacy',
      script: ({ method }) => (method === 'GET' ? new Response(null, { status: 405 }) : undefined),
    });
    await world.add('a');
    await world.clock.advance(60_000);
    expect(world.server().state).toBe('ready');
    expect(world.lines().filter((line) => line.startsWith('GET'))).toHaveLength(1);
  });

  it('R29 listens on a modern server to what it declares, in one request', async () => {
    const world = createManagedWorld({ era: 'modern' });
    await world.add('a');
    const listening = world.sent.filter(({ rpc }) => rpc === 'subscriptions/listen');
    expect(listening).toHaveLength(1);
    expect(listening[0]?.message['params']).toMatchObject({ notifications: { toolsListChanged: true } });
    expect(JSON.stringify(listening[0]?.message['params'])).not.toContain('promptsListChanged');
    expect(world.sent.every(({ method }) => method === 'POST')).toBe(true);
    expect(world.sent.some(({ headers }) => headers.has('mcp-session-id'))).toBe(false);
  });

  it('R30 asks for no more than it takes, whatever another server does', async () => {
    const world = createManagedWorld({
      era: 'legacy',
      script: ({ url }) => (url.pathname === '/hangs' ? new Promise(() => undefined) : undefined),
    });
    world.manager.addServer('hangs', { url: 'https://other.test/hangs' });
    for (let index = 0; index < 20; index++) world.manager.addServer(`s${index}`, { url: WORLD_URL });
    await world.settle();
    for (let index = 0; index < 20; index++) expect(world.server(`s${index}`).state).toBe('ready');
    const lines = world.sent
      .filter(({ url }) => url.href === WORLD_URL)
      .map(({ method, rpc }) => `${method} ${rpc}`);
    const count = (line: string): number => lines.filter((each) => each === line).length;
    expect(count('POST server/discover')).toBeLessThanOrEqual(20);
    expect(count('POST initialize')).toBe(20);
    expect(count('POST notifications/initialized')).toBe(20);
    expect(count('GET -')).toBe(20);
    expect(count('POST tools/list')).toBe(20);
    expect(new Set(lines)).toEqual(
      new Set([
        'POST server/discover',
        'POST initialize',
        'POST notifications/initialized',
        'GET -',
        'POST tools/list',
      ]),
    );
  });

  it('R28 tries the old transport last, within the same attempt', async () => {
    const world = createManagedWorld({
      script: ({ method }) => new Response('none', { status: method === 'POST' ? 405 : 404 }),
    });
    const seen = world.record();
    const server = await world.add('a', { url: 'https://mcp.test/sse' });
    expect(world.lines().at(-1)).toBe('GET -');
    expect(server).toMatchObject({ state: 'failed', failure: { code: 'http_error' } });
    expect(seen.filter(({ state }) => state === 'failed')).toHaveLength(1);
    expect(echoServer()).toBeDefined();
  });
});
