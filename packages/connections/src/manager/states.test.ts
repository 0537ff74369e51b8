import { describe, expect, it } from 'vitest';
import type { OwnServer as Server, WorldScript } from '../../../../testing/managed-world.ts';
import { WORLD_URL, createManagedWorld, echoServer } from '../../../../testing/managed-world.ts';

/** Lists tools one a page. */
function inPages(names: readonly string[], era: 'legacy' | 'modern'): WorldScript {
  const about = era === 'modern' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
  return ({ rpc, message }) => {
    if (rpc !== 'tools/list') return undefined;
    const { cursor = '0' } = (message['params'] ?? {}) as { readonly cursor?: string };
    const at = Number(cursor);
    const tools = [{ name: names[at], inputSchema: { type: 'object' } }];
    const next = at + 1 < names.length ? { nextCursor: String(at + 1) } : {};
    return Response.json({ jsonrpc: '2.0', id: message['id'], result: { ...about, tools, ...next } });
  };
}

describe('the states of a managed server', () => {
  it('R8 begins as discovering, with nothing in it', () => {
    const { manager } = createManagedWorld();
    manager.addServer('a', { url: WORLD_URL });
    const server = manager.getServer('a');
    expect(server).toMatchObject({
      id: 'a',
      state: 'discovering',
      idle: false,
      name: '',
      tools: [],
      resources: [],
      resourceTemplates: [],
      prompts: [],
      notifications: [],
      unreadNotificationCount: 0,
      pendingSamplingRequests: [],
      pendingElicitationRequests: [],
      extensions: {},
      url: WORLD_URL,
    });
    for (const member of [
      'authTokens',
      'authUrl',
      'capabilities',
      'error',
      'failure',
      'instructions',
      'protocolEra',
      'protocolVersion',
      'serverInfo',
    ]) {
      expect(server).not.toHaveProperty(member);
    }
  });

  it.each(['legacy', 'modern'] as const)('R9 R21 R26 goes from discovering to ready, %s', async (era) => {
    const names = ['echo', 'second', 'third'];
    const world = createManagedWorld({ era, script: inPages(names, era) });
    world.manager.addServer('a', { url: WORLD_URL });
    const seen = world.record();
    const calls: Promise<unknown>[] = [];
    world.manager.subscribeTo('a', () => {
      const server = world.server();
      if (server.state === 'ready' && calls.length === 0) calls.push(server.callTool('echo', { a: 1 }));
    });
    await world.settle();
    const states = ['discovering', ...seen.map(({ state }) => state)];
    expect(states.filter((state, index) => state !== states[index - 1])).toEqual(['discovering', 'ready']);
    const first = seen.find(({ state }) => state === 'ready');
    expect(first).toMatchObject({
      name: 'echo-server',
      serverInfo: { name: 'echo-server', version: '1.0.0' },
      capabilities: { tools: {} },
      protocolEra: era,
      protocolVersion: era === 'modern' ? '2026-07-28' : '2025-11-25',
    });
    expect(first?.client).toBe(world.server().client);
    expect(first?.tools.map(({ name }) => name)).toEqual(names);
    expect(await Promise.all(calls)).toMatchObject([{ content: [{ type: 'text', text: '{"a":1}' }] }]);
  });

  it('R10 stays ready when another list cannot be read, and says so once', async () => {
    const build = (): Server => {
      const server = echoServer();
      server.registerPrompt('p', {}, () => ({ messages: [] }));
      return server;
    };
    const world = createManagedWorld({
      build,
      script: ({ rpc, message }) =>
        rpc === 'prompts/list' || rpc === 'resources/list'
          ? Response.json({ jsonrpc: '2.0', id: message['id'], error: { code: -32603, message: 'broken' } })
          : undefined,
    });
    const server = await world.add('a');
    expect(server).toMatchObject({ state: 'ready', prompts: [] });
    expect(server.tools).toHaveLength(1);
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({ message: expect.stringContaining('prompts') as string }),
    ]);
  });

  it('R10 R12 is ready without tools when their first list fails', async () => {
    const world = createManagedWorld({
      script: ({ rpc, message }) =>
        rpc === 'tools/list'
          ? Response.json({ jsonrpc: '2.0', id: message['id'], error: { code: -32603, message: 'broken' } })
          : undefined,
    });
    const server = await world.add('a');
    expect(server).toMatchObject({ state: 'ready', tools: [] });
    expect(server).not.toHaveProperty('error');
    expect(server.log.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('R12 says why it failed, and nowhere else', async () => {
    const world = createManagedWorld({ script: () => new Response('no', { status: 500 }) });
    const seen = world.record();
    const server = await world.add('a');
    expect(server).toMatchObject({
      state: 'failed',
      error: expect.any(String) as string,
      failure: { code: 'http_error', httpStatus: 500, retryable: true },
    });
    world.script(() => undefined);
    await world.server().reconnect();
    expect(world.server().state).toBe('ready');
    for (const snapshot of [...seen, world.server()]) {
      expect(Object.hasOwn(snapshot, 'error')).toBe(snapshot.state === 'failed');
      expect(Object.hasOwn(snapshot, 'failure')).toBe(snapshot.state === 'failed');
    }
  });

  it.each([
    ['enabled: false', { url: WORLD_URL, enabled: false }],
    ['no url', {}],
  ])('R13 rests with %s', async (_name, config) => {
    const world = createManagedWorld();
    const server = await world.add('a', config);
    await world.clock.advance(3_600_000);
    expect(server).toMatchObject({ state: 'discovering', idle: true });
    expect(world.sent).toEqual([]);
    expect(world.clock.armed).toBe(0);
    expect(world.browser.stored()).toEqual({});
  });

  it('R13 connects when it is turned on, and closes when it is turned off', async () => {
    const world = createManagedWorld();
    await world.add('a', { url: WORLD_URL, enabled: false });
    await world.server().updateConfig({ enabled: true });
    expect(world.server()).toMatchObject({ state: 'ready', idle: false });
    await world.server().updateConfig({ enabled: false });
    expect(world.server()).toMatchObject({ state: 'discovering', idle: true, tools: [], client: null });
  });

  it('R14 ends everything when it is told to leave', async () => {
    const world = createManagedWorld({ era: 'legacy', build: hangingServer });
    const server = await world.add('a');
    const call = server.callTool('hang');
    await world.settle();
    const left = server.disconnect();
    void server.disconnect();
    await expect(call).rejects.toMatchObject({ code: 'connection_closed' });
    await left;
    expect(world.server()).toMatchObject({
      state: 'discovering',
      idle: true,
      tools: [],
      client: null,
      name: '',
    });
    for (const member of ['serverInfo', 'capabilities', 'protocolEra', 'protocolVersion']) {
      expect(world.server()).not.toHaveProperty(member);
    }
    expect(world.lines().filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    const sent = world.sent.length;
    await world.clock.advance(3_600_000);
    expect(world.sent).toHaveLength(sent);
    expect(world.clock.armed).toBe(0);
  });

  it.each<[how: string, leave: (world: ReturnType<typeof createManagedWorld>) => Promise<void>]>([
    ['somebody leaves', (world) => world.server().disconnect()],
    ['it is removed', (world) => world.manager.removeServer('a')],
    ['it is turned off', (world) => world.server().updateConfig({ enabled: false })],
    ['its address is another one', (world) => world.server().updateConfig({ url: `${WORLD_URL}?next` })],
  ])('R14 R16 R138 ends the session that the server begins after %s', async (_how, leave) => {
    let answer = (): void => undefined;
    const held = new Promise<undefined>((resolve) => (answer = () => resolve(undefined)));
    const world = createManagedWorld({
      era: 'legacy',
      script: ({ rpc, url }) => (rpc === 'initialize' && url.search === '' ? held : undefined),
    });
    await world.add('a');
    expect(world.server().state).toBe('discovering');
    await leave(world);
    const deletes = () =>
      world.sent
        .filter(({ method, url }) => method === 'DELETE' && url.search === '')
        .map(({ headers }) => headers);
    expect(deletes()).toEqual([]);
    answer();
    await world.settle();
    expect(deletes().map((headers) => headers.get('mcp-session-id'))).toEqual([expect.any(String)]);
    await world.manager.close();
    await world.settle();
    expect(world.clock.armed).toBe(0);
  });

  it('R15 tries again only after a failure, and else says so', async () => {
    const world = createManagedWorld();
    const server = await world.add('a');
    const sent = world.sent.length;
    server.retry();
    await world.settle();
    expect(world.sent).toHaveLength(sent);
    expect(world.server().log.filter(({ level }) => level === 'warn')).toHaveLength(1);
    world.script(() => new Response('no', { status: 500 }));
    await server.reconnect();
    expect(world.server().state).toBe('failed');
    world.script(() => undefined);
    server.retry();
    expect(world.server().state).toBe('discovering');
    await world.settle();
    expect(world.server().state).toBe('ready');
  });

  it('R16 shares one attempt among those who ask for it, and resolves even when it fails', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    const server = await world.add('a');
    await Promise.all([server.reconnect(), server.reconnect(), server.reconnect()]);
    expect(world.lines().filter((line) => line === 'POST initialize')).toHaveLength(2);
    expect(world.lines().filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    let letGo = (): void => undefined;
    const held = new Promise<undefined>((resolve) => (letGo = () => resolve(undefined)));
    world.script(({ rpc }) => (rpc === 'initialize' ? held : undefined));
    const first = server.reconnect();
    await world.settle();
    const second = server.reconnect();
    letGo();
    await Promise.all([first, second]);
    expect(world.server().state).toBe('ready');
    expect(world.lines().filter((line) => line === 'POST initialize')).toHaveLength(3);
    world.script(() => new Response('no', { status: 500 }));
    await server.reconnect();
    expect(world.server().state).toBe('failed');
  });

  it('R16 R18 keeps the last of many changes, and one connection', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    const server = await world.add('a');
    const changes = [1, 2, 3].map((turn) => server.updateConfig({ url: `${WORLD_URL}?turn=${turn}` }));
    await world.settle();
    await Promise.all(changes);
    await world.settle();
    expect(world.server()).toMatchObject({ state: 'ready', url: `${WORLD_URL}?turn=3` });
    const opened = world.lines().filter((line) => line === 'POST initialize').length;
    const closed = world.lines().filter((line) => line.startsWith('DELETE')).length;
    expect(opened - closed).toBe(1);
    await world.manager.removeServer('a');
    expect(world.lines().filter((line) => line.startsWith('DELETE'))).toHaveLength(opened);
  });

  it('R17 shows nothing of the old server after another address was given', async () => {
    const world = createManagedWorld();
    const server = await world.add('a');
    const seen = world.record();
    world.script(() => new Response('no', { status: 500 }));
    await server.updateConfig({ url: 'https://other.test/mcp' });
    expect(world.server().state).toBe('failed');
    for (const snapshot of seen) {
      expect(snapshot.tools).toEqual([]);
      expect(snapshot.name).toBe('');
      expect(snapshot).not.toHaveProperty('serverInfo');
    }
  });

  it('R17 keeps what was seen while it comes back by itself', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    await world.add('a');
    const before = world.server();
    const seen = world.record();
    world.script(() => {
      throw new TypeError('the network is gone');
    });
    await expect(before.callTool('echo')).rejects.toMatchObject({ code: 'network_error' });
    await world.clock.advance(2_000);
    expect(world.server().state).toBe('discovering');
    world.script(() => undefined);
    await world.clock.advance(4_000);
    expect(world.server().state).toBe('ready');
    for (const snapshot of seen) {
      expect(snapshot.tools).toBe(before.tools);
      expect(snapshot.serverInfo).toEqual(before.serverInfo);
    }
  });

  it('R18 closes an attempt that ends after nobody wants it any more, and publishes nothing of it', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    world.script(async ({ rpc }) => {
      if (rpc === 'initialize') await held;
      return undefined;
    });
    world.manager.addServer('a', { url: WORLD_URL });
    await world.settle();
    const left = world.server().disconnect();
    const seen = world.record();
    letGo();
    await world.settle();
    await left;
    expect(world.server()).toMatchObject({ state: 'discovering', idle: true });
    expect(seen.some(({ state }) => state === 'ready')).toBe(false);
  });
});

function hangingServer(): Server {
  const server = echoServer();
  server.registerTool(
    'hang',
    {},
    ({ mcpReq }) =>
      new Promise((_, reject) => {
        mcpReq.signal.addEventListener('abort', () => reject(new Error('gone')));
      }),
  );
  return server;
}
