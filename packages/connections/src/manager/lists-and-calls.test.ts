import { describe, expect, it } from 'vitest';
import {
  OwnServer,
  WORLD_URL,
  createManagedWorld,
  echoServer,
  inputRequired,
} from '../../../../testing/managed-world.ts';
import type { ManagedWorld, WorldRequest } from '../../../../testing/managed-world.ts';

const answer = ({ message }: WorldRequest, result: object): Response =>
  Response.json({ jsonrpc: '2.0', id: message['id'], result: { resultType: 'complete', ...result } });
const refusal = ({ message }: WorldRequest, error: object): Response =>
  Response.json({ jsonrpc: '2.0', id: message['id'], error });
const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });
const cursorOf = ({ message }: WorldRequest): unknown =>
  (message['params'] as Record<string, unknown> | undefined)?.['cursor'];
const count = (world: ManagedWorld, line: string): number =>
  world.lines().filter((each) => each === line).length;

function fullServer(): OwnServer {
  const server = echoServer();
  server.registerResource('r', 'test://r', {}, () => ({ contents: [{ uri: 'test://r', text: 'r' }] }));
  server.registerPrompt('p', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'p', extra: 1 } as never }],
  }));
  return server;
}

describe('lists', () => {
  it('R86 reads all pages in order, an empty cursor included, and shows them at once', async () => {
    const pages = new Map<unknown, object>([
      [undefined, { tools: [tool('a')], nextCursor: '' }],
      ['', { tools: [tool('b')], nextCursor: 'x y' }],
      ['x y', { tools: [tool('c')], nextCursor: null }],
    ]);
    const world = createManagedWorld({
      era: 'legacy',
      script: (request) =>
        request.rpc === 'tools/list' ? answer(request, pages.get(cursorOf(request)) ?? {}) : undefined,
    });
    world.manager.addServer('a', { url: WORLD_URL });
    const seen = world.record();
    await world.settle();
    expect(world.server().tools.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(new Set(seen.map(({ tools }) => tools.length))).toEqual(new Set([3]));
  });

  it.each([
    ['a cursor that comes again', () => 'same'],
    ['pages without end', (page: number) => String(page)],
  ])('R86 ends a list with %s', async (_name, cursor) => {
    let page = 0;
    const world = createManagedWorld({
      era: 'legacy',
      script: (request) =>
        request.rpc === 'tools/list'
          ? answer(request, { tools: [], nextCursor: cursor((page += 1)) })
          : undefined,
    });
    const server = await world.add('a');
    expect(page).toBeLessThanOrEqual(1_000);
    expect(server.state).toBe('ready');
    expect(server.log.some(({ level }) => level === 'error')).toBe(true);
  });

  it('R87 asks for no list that the server does not declare, and keeps tools with a broken schema', async () => {
    const broken = { name: 'broken', inputSchema: { type: 'object', properties: { a: { $ref: '#/no' } } } };
    const world = createManagedWorld({
      script: (request) =>
        request.rpc === 'tools/list' ? answer(request, { tools: [broken, tool('b')] }) : undefined,
    });
    const server = await world.add('a');
    expect(server.tools.map(({ name }) => name)).toEqual(['broken', 'b']);
    expect(server).toMatchObject({ resources: [], prompts: [], resourceTemplates: [] });
    for (const method of ['resources/list', 'resources/templates/list', 'prompts/list']) {
      expect(world.lines()).not.toContain(`POST ${method}`);
    }
  });

  it.each([
    ['listResources', 'resources/list', 'resources'],
    ['listPrompts', 'prompts/list', 'prompts'],
  ] as const)('R88 %s reads the list again', async (action, method, list) => {
    const world = createManagedWorld({ build: fullServer });
    const server = await world.add('a');
    world.script((request) => (request.rpc === method ? answer(request, { [list]: [] }) : undefined));
    expect(world.server()[list]).toHaveLength(1);
    await expect(server[action]()).resolves.toBeUndefined();
    expect(world.server()[list]).toEqual([]);
    world.script((request) =>
      request.rpc === method ? refusal(request, { code: -32603, message: 'broken' }) : undefined,
    );
    await expect(server[action]()).rejects.toMatchObject({ code: 'server_error', data: { code: -32603 } });
    await server.disconnect();
    await expect(server[action]()).rejects.toMatchObject({ code: 'not_ready' });
  });

  const REFRESH = [
    ['refreshTools', 'tools/list', 'tools'],
    ['refreshResources', 'resources/list', 'resources'],
    ['refreshResourceTemplates', 'resources/templates/list', 'resourceTemplates'],
    ['refreshPrompts', 'prompts/list', 'prompts'],
  ] as const;

  it.each(REFRESH)('R89 %s never rejects', async (action, method, list) => {
    const world = createManagedWorld({ build: fullServer });
    const server = await world.add('a');
    const before = world.server()[list];
    world.script((request) =>
      request.rpc === method ? refusal(request, { code: -32603, message: 'broken' }) : undefined,
    );
    await expect(server[action]()).resolves.toBeUndefined();
    expect(world.server()[list]).toBe(before);
    expect(world.server().log.filter(({ level }) => level === 'error')).toHaveLength(1);
    world.script((request) => (request.rpc === method ? answer(request, { [list]: [] }) : undefined));
    await server[action]();
    expect(world.server()[list]).toEqual([]);
    await server.disconnect();
    const sent = world.sent.length;
    await server[action]();
    expect(world.sent).toHaveLength(sent);
  });

  it('R89 refreshAll reads the four lists, whatever becomes of one', async () => {
    const world = createManagedWorld({ build: fullServer });
    const server = await world.add('a');
    const before = REFRESH.map(([, method]) => count(world, `POST ${method}`));
    world.script((request) =>
      request.rpc === 'resources/list' ? refusal(request, { code: -32603, message: 'broken' }) : undefined,
    );
    await server.refreshAll();
    const after = REFRESH.map(([, method]) => count(world, `POST ${method}`));
    expect(after).toEqual(before.map((each) => each + 1));
  });

  it.each(['legacy', 'modern'] as const)('R90 reads a list once after a notice of it, %s', async (era) => {
    const server = echoServer();
    const world = createManagedWorld({ era, build: () => server });
    await world.add('a');
    await world.clock.advance(1_000);
    const before = count(world, 'POST tools/list');
    const calls: string[] = [];
    world.manager.subscribeTo('a', () => calls.push('changed'));
    const tools = world.server().tools;
    const announce = (): void =>
      era === 'legacy' ? server.sendToolListChanged() : world.announce.toolsChanged();
    announce();
    await world.clock.advance(1_000);
    expect(count(world, 'POST tools/list')).toBe(before + 1);
    expect(world.server().tools).toBe(tools);
    server.registerTool('more', {}, () => ({ content: [] }));
    if (era === 'modern') announce();
    await world.clock.advance(1_000);
    expect(count(world, 'POST tools/list')).toBe(before + 2);
    expect(world.server().tools.map(({ name }) => name)).toEqual(['echo', 'more']);
  });

  it('R90 reads resources alone after a notice of resources', async () => {
    const server = fullServer();
    const world = createManagedWorld({ era: 'legacy', build: () => server });
    await world.add('a');
    await world.clock.advance(1_000);
    const before = REFRESH.map(([, method]) => count(world, `POST ${method}`));
    server.sendResourceListChanged();
    await world.clock.advance(1_000);
    const after = REFRESH.map(([, method]) => count(world, `POST ${method}`));
    expect(after.map((each, index) => each - (before[index] ?? 0))).toEqual([0, 1, 0, 0]);
  });

  it('R90 R92 leaves templates alone until somebody asks, and never asks by itself for what may be stale', async () => {
    const world = createManagedWorld({
      build: fullServer,
      era: 'legacy',
      script: (request) =>
        request.rpc === 'tools/list' ? answer(request, { tools: [], ttlMs: 1_000 }) : undefined,
    });
    await world.add('a', { url: WORLD_URL, autoReconnect: { healthCheckInterval: false } });
    const sent = world.sent.length;
    await world.clock.advance(3_600_000);
    expect(world.sent).toHaveLength(sent);
    await world.server().reconnect();
    await world.settle();
    for (const [, method] of REFRESH) expect(count(world, `POST ${method}`)).toBe(2);
  });
});

describe('calls', () => {
  it('R93 brings the result as it was sent, an error result included', async () => {
    const result = {
      content: [{ type: 'text', text: 'no' }],
      isError: true,
      structuredContent: { a: 1 },
      _meta: { 'com.example/x': 1 },
    };
    const world = createManagedWorld({
      era: 'legacy',
      script: (request) => (request.rpc === 'tools/call' ? answer(request, result) : undefined),
    });
    const server = await world.add('a');
    await expect(server.callTool('not listed')).resolves.toMatchObject(result);
    expect(world.sent.at(-1)?.message['params']).toMatchObject({ name: 'not listed', arguments: {} });
  });

  it.each(['discovering', 'failed'] as const)('R94 rejects while the server is %s', async (state) => {
    const world = createManagedWorld({
      script: () => (state === 'failed' ? new Response(null, { status: 500 }) : new Promise(() => undefined)),
    });
    const server = await world.add('a');
    const sent = world.sent.length;
    const calls = [
      server.callTool('echo'),
      server.readResource('test://r'),
      server.getPrompt('p'),
      server.complete({ ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }),
    ];
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({
        code: 'not_ready',
        message: expect.stringContaining(state) as string,
      });
    }
    expect(world.sent).toHaveLength(sent);
  });

  const hang = (world: ManagedWorld, ...methods: string[]): void => {
    world.script(({ rpc, signal }) =>
      methods.includes(rpc)
        ? new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')));
          })
        : undefined,
    );
  };

  it('R95 ends a call without an answer after a minute, or the time it is given', async () => {
    const world = createManagedWorld({ era: 'legacy', build: fullServer });
    const server = await world.add('a', { url: WORLD_URL, autoReconnect: { healthCheckInterval: false } });
    hang(world, 'tools/call', 'resources/read', 'prompts/get');
    const ended: string[] = [];
    const note = (name: string, call: Promise<unknown>): void =>
      void call.catch(({ code }: { code: string }) => ended.push(`${name} ${code}`));
    note('plain', server.callTool('echo'));
    note('short', server.callTool('echo', {}, { timeout: 5_000 }));
    note('read', server.readResource('test://r'));
    note('prompt', server.getPrompt('p'));
    await world.clock.advance(5_000);
    expect(ended).toEqual(['short request_timeout']);
    await world.clock.advance(54_999);
    expect(ended).toHaveLength(1);
    await world.clock.advance(1);
    expect(ended.slice(1).sort()).toEqual([
      'plain request_timeout',
      'prompt request_timeout',
      'read request_timeout',
    ]);
  });

  /** A server whose tool tells of progress each second and never ends. */
  const progressing = (world: ManagedWorld): (() => void) => {
    let tell = (): void => undefined;
    world.script(({ rpc, message, signal }) => {
      if (rpc !== 'tools/call') return undefined;
      const meta = (message['params'] as { _meta?: { progressToken?: unknown } })._meta;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          let progress = 0;
          tell = () => {
            const params = { progressToken: meta?.progressToken, progress: (progress += 1) };
            const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params });
            controller.enqueue(new TextEncoder().encode(`data: ${text}\n\n`));
          };
          signal.addEventListener('abort', () =>
            controller.error(new DOMException('given up', 'AbortError')),
          );
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    });
    return () => tell();
  };

  it.each([
    ['is no reason to wait longer by default', {}, 60],
    ['starts the time anew where that is wanted', { resetTimeoutOnProgress: true }, 3_600],
    ['does so up to a total', { resetTimeoutOnProgress: true, maxTotalTimeout: 90_000 }, 90],
    [
      'and the time that is given',
      { resetTimeoutOnProgress: true, timeout: 20_000, maxTotalTimeout: 95_000 },
      95,
    ],
  ])('R96 R97 progress %s', async (_name, options, seconds) => {
    const world = createManagedWorld({ era: 'legacy' });
    const server = await world.add('a', { url: WORLD_URL, autoReconnect: { healthCheckInterval: false } });
    const tell = progressing(world);
    let code: string | undefined;
    void server.callTool('echo', {}, options).catch((error: { code: string }) => (code = error.code));
    await world.settle();
    const sent = world.sent.at(-1)?.message['params'] as { _meta?: { progressToken?: unknown } };
    expect(sent._meta?.progressToken !== undefined).toBe('resetTimeoutOnProgress' in options);
    let passed = 0;
    const stepS = seconds > 1_000 ? 30 : 5;
    for (; code === undefined && passed < 4_000; passed += stepS) {
      tell();
      await world.clock.advance(stepS * 1_000);
    }
    expect(code).toBe('request_timeout');
    expect(passed).toBe(seconds);
  });

  it.each(['legacy', 'modern'] as const)('R98 ends a call that its caller gives up, %s', async (era) => {
    const world = createManagedWorld({ era });
    const server = await world.add('a');
    hang(world, 'tools/call');
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const call = server.callTool('echo', {}, { signal: controller.signal });
    await world.settle();
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await world.settle();
    const cancelled = world.sent.filter(({ rpc }) => rpc === 'notifications/cancelled');
    expect(cancelled).toHaveLength(era === 'legacy' ? 1 : 0);
    const asked = world.sent.find(({ rpc }) => rpc === 'tools/call');
    expect(asked?.signal.aborted).toBe(true);
    const sent = world.sent.length;
    await expect(server.callTool('echo', {}, { signal: controller.signal })).rejects.toBe(reason);
    expect(world.sent).toHaveLength(sent);
  });

  it('R99 tells what the server answered, and sends nothing twice', async () => {
    const world = createManagedWorld({
      script: (request) =>
        request.rpc === 'tools/call'
          ? refusal(request, { code: -32042, message: 'not today', data: { until: 'noon' } })
          : undefined,
    });
    const server = await world.add('a');
    await expect(server.callTool('echo')).rejects.toMatchObject({
      code: 'server_error',
      message: 'not today',
      data: { code: -32042, message: 'not today', data: { until: 'noon' } },
    });
    expect(count(world, 'POST tools/call')).toBe(1);
  });

  it('R100 R101 R102 read, prompt and complete bring what the server says', async () => {
    const world = createManagedWorld({ build: fullServer });
    const server = await world.add('a');
    await expect(server.readResource('test://r')).resolves.toMatchObject({
      contents: [{ uri: 'test://r', text: 'r' }],
    });
    const prompt = await server.getPrompt('p', { a: 'b' });
    expect(prompt.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'p', extra: 1 } }]);
    expect(world.sent.at(-1)?.message['params']).toMatchObject({ name: 'p', arguments: { a: 'b' } });
    await expect(server.readResource('test://none')).rejects.toMatchObject({ code: 'server_error' });
    await expect(server.getPrompt('none')).rejects.toMatchObject({ code: 'server_error' });
    const params = {
      ref: { type: 'ref/prompt' as const, name: 'p' },
      argument: { name: 'a', value: 'x' },
      context: { arguments: { b: 'c' } },
    };
    await expect(server.complete(params)).rejects.toMatchObject({ code: 'not_supported' });
    const completing = createManagedWorld({
      build: () =>
        new OwnServer({ name: 's', version: '1' }, { capabilities: { completions: {}, tools: {} } }),
      script: (request) =>
        request.rpc === 'completion/complete'
          ? answer(request, { completion: { values: ['x'], hasMore: false } })
          : undefined,
    });
    const other = await completing.add('a');
    await expect(other.complete(params)).resolves.toMatchObject({ completion: { values: ['x'] } });
    expect(completing.sent.at(-1)?.message['params']).toMatchObject(params);
  });

  it('R104 has one client for as long as it is wanted', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    world.manager.addServer('a', { url: WORLD_URL });
    await world.settle();
    const { client } = world.server();
    expect(await client?.listTools()).toMatchObject({ tools: [{ name: 'echo' }] });
    world.script(() => {
      throw new TypeError('the network is gone');
    });
    await world
      .server()
      .callTool('echo')
      .catch(() => undefined);
    await world.settle();
    world.script(() => undefined);
    await world.clock.advance(3_000);
    expect(world.server().state).toBe('ready');
    expect(world.server().client).toBe(client);
    await world.server().disconnect();
    expect(world.server().client).toBeNull();
  });

  it('R103 answers what a modern server asks within the same call, ten times at most', async () => {
    let rounds = 0;
    const build = (): OwnServer => {
      const server = echoServer();
      server.registerTool('asks', {}, () => {
        rounds += 1;
        return inputRequired({
          inputRequests: {
            q: {
              method: 'elicitation/create',
              params: { mode: 'form', message: 'More?', requestedSchema: { type: 'object', properties: {} } },
            },
          },
        });
      });
      return server;
    };
    const world = createManagedWorld({ era: 'modern', build, hasQueues: false });
    const server = await world.add('a', {
      url: WORLD_URL,
      onElicitation: () => Promise.resolve({ action: 'accept', content: {} }),
    });
    await expect(server.callTool('asks')).rejects.toMatchObject({ code: expect.any(String) as string });
    expect(rounds).toBe(11);
    const ids = world.sent.filter(({ rpc }) => rpc === 'tools/call').map(({ message }) => message['id']);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
