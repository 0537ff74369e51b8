import { describe, expect, it } from 'vitest';
import { WORLD_URL, createManagedWorld } from '../../../../testing/managed-world.ts';
import type { ManagedWorld, WorldOptions, WorldScript } from '../../../../testing/managed-world.ts';
import type { McpServerConfig } from './server-config.ts';

const gone: WorldScript = () => {
  throw new TypeError('the network is gone');
};

/** Breaks the line of a ready server as a network does. */
async function lose(world: ManagedWorld): Promise<void> {
  world.script(gone);
  await world
    .server()
    .callTool('echo')
    .catch(() => undefined);
  await world.settle();
}

async function ready(config: McpServerConfig = {}, options: WorldOptions = {}): Promise<ManagedWorld> {
  const world = createManagedWorld({ era: 'legacy', ...options });
  await world.add('a', { url: WORLD_URL, ...config });
  expect(world.server().state).toBe('ready');
  return world;
}

const openings = (world: ManagedWorld): number =>
  world.lines().filter((line) => line === 'POST initialize').length;
const heads = (world: ManagedWorld): number => world.lines().filter((line) => line.startsWith('HEAD')).length;

describe('coming back', () => {
  it.each<[string, McpServerConfig['autoReconnect'], { readonly delayMs: number; readonly everyMs: number }]>(
    [
      ['nothing said', undefined, { delayMs: 3_000, everyMs: 10_000 }],
      ['true', true, { delayMs: 3_000, everyMs: 10_000 }],
      ['a number', 700, { delayMs: 700, everyMs: 10_000 }],
      ['an object', { healthCheckInterval: 2_000 }, { delayMs: 3_000, everyMs: 2_000 }],
      ['an empty object', {}, { delayMs: 3_000, everyMs: 10_000 }],
    ],
  )('R31 waits and looks as it is told: %s', async (_name, autoReconnect, { delayMs, everyMs }) => {
    const world = await ready(autoReconnect === undefined ? {} : { autoReconnect });
    await world.clock.advance(everyMs - 1);
    expect(heads(world)).toBe(0);
    await world.clock.advance(1);
    expect(heads(world)).toBe(1);
    await lose(world);
    expect(world.server().state).toBe('discovering');
    world.script(() => undefined);
    const before = openings(world);
    await world.clock.advance(delayMs - 1);
    expect(openings(world)).toBe(before);
    await world.clock.advance(1);
    expect(openings(world)).toBe(before + 1);
    expect(world.server().state).toBe('ready');
  });

  it.each([false, { enabled: false }])(
    'R32 stays where it is when it is told so: %j',
    async (autoReconnect) => {
      const world = await ready({ autoReconnect });
      await world.clock.advance(60_000);
      expect(heads(world)).toBe(0);
      await lose(world);
      expect(world.server()).toMatchObject({ state: 'failed', failure: { code: 'network_error' } });
      const sent = world.sent.length;
      await world.clock.advance(3_600_000);
      expect(world.sent).toHaveLength(sent);
    },
  );

  it('R33 sends one HEAD at a time, with the headers and without the session', async () => {
    const world = await ready({ headers: { 'x-team': 'blue' } });
    let hanging = 0;
    world.script(({ method, signal }) => {
      if (method !== 'HEAD') return undefined;
      hanging += 1;
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          hanging -= 1;
          reject(new DOMException('given up', 'AbortError'));
        });
      });
    });
    await world.clock.advance(10_000);
    expect(hanging).toBe(1);
    const head = world.sent.find(({ method }) => method === 'HEAD');
    expect(head?.url.href).toBe(WORLD_URL);
    expect(head?.headers.get('x-team')).toBe('blue');
    expect(head?.headers.has('mcp-session-id')).toBe(false);
    await world.clock.advance(4_999);
    expect(hanging).toBe(1);
    await world.clock.advance(1);
    expect(hanging).toBe(0);
  });

  it('R33 never sends a second HEAD while the first one is out', async () => {
    const world = await ready({ autoReconnect: { healthCheckInterval: 1_000 } });
    let sent = 0;
    world.script(({ method }) => {
      if (method !== 'HEAD') return undefined;
      sent += 1;
      return new Promise(() => undefined);
    });
    await world.clock.advance(4_000);
    expect(sent).toBe(1);
  });

  it('R33 sends none when it is told so, and still comes back after a loss', async () => {
    const world = await ready({ autoReconnect: { healthCheckInterval: false } });
    await world.clock.advance(600_000);
    expect(heads(world)).toBe(0);
    await lose(world);
    world.script(() => undefined);
    await world.clock.advance(3_000);
    expect(world.server().state).toBe('ready');
  });

  it.each([404, 405, 501])(
    'R34 asks no more when HEAD is answered with %i, until the next connection',
    async (status) => {
      const world = await ready();
      world.script(({ method }) => (method === 'HEAD' ? new Response(null, { status }) : undefined));
      await world.clock.advance(120_000);
      expect(heads(world)).toBe(1);
      expect(world.server().state).toBe('ready');
      expect(openings(world)).toBe(1);
      await world.server().reconnect();
      await world.clock.advance(10_000);
      expect(heads(world)).toBe(2);
    },
  );

  it.each([200, 302, 400, 401, 403, 429])('R34 takes %i for a sign of life', async (status) => {
    const world = await ready();
    world.script(({ method, rpc }) => {
      if (method === 'HEAD') return new Response(null, { status });
      return rpc === 'ping' ? gone({} as never) : undefined;
    });
    await world.clock.advance(120_000);
    expect(heads(world)).toBe(12);
    expect(openings(world)).toBe(1);
  });

  it.each<[string, WorldScript]>([
    ['status 500', () => new Response(null, { status: 500 })],
    ['a broken network', gone],
  ])('R34 R35 makes the connection anew after 30 s of %s', async (_name, broken) => {
    const world = await ready();
    world.script(broken);
    await world.clock.advance(29_999);
    expect(world.server().state).toBe('ready');
    await world.clock.advance(1);
    expect(world.server().state).toBe('discovering');
    world.script(() => undefined);
    await world.clock.advance(2_999);
    expect(openings(world)).toBe(1);
    await world.clock.advance(1);
    expect(openings(world)).toBe(2);
    await world.clock.advance(60_000);
    expect(openings(world)).toBe(2);
  });

  it('R35 begins to count anew with a success at the last moment', async () => {
    const world = await ready({ autoReconnect: { healthCheckInterval: 29_999 } });
    await world.clock.advance(29_998);
    expect(heads(world)).toBe(0);
    await world.clock.advance(1);
    world.script(({ method, rpc }) => (method === 'HEAD' || rpc === 'ping' ? gone({} as never) : undefined));
    await world.clock.advance(29_999);
    expect(world.server().state).toBe('ready');
    await world.clock.advance(1);
    expect(world.server().state).toBe('discovering');
  });

  it.each(['legacy', 'modern'] as const)(
    'R36 asks over the protocol before it ends anything, %s',
    async (era) => {
      const world = await ready({}, { era });
      world.script(({ method }) => (method === 'HEAD' ? gone({} as never) : undefined));
      const question = era === 'legacy' ? 'POST ping' : 'POST server/discover';
      const asked = (): number => world.lines().filter((line) => line === question).length;
      const before = asked();
      const seen = world.record();
      await world.clock.advance(300_000);
      expect(seen.every(({ state }) => state === 'ready')).toBe(true);
      expect(world.server().state).toBe('ready');
      expect(asked()).toBeGreaterThan(before);
      expect(world.server().log.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );

  it('R36 takes an answer to a call for a sign of life', async () => {
    const world = await ready();
    world.script(({ method, rpc }) => (method === 'HEAD' || rpc === 'ping' ? gone({} as never) : undefined));
    await world.clock.advance(20_000);
    await world.server().callTool('echo');
    await world.clock.advance(29_999);
    expect(world.server().state).toBe('ready');
    await world.clock.advance(1);
    expect(world.server().state).toBe('discovering');
  });

  it.each([
    ['hidden', (world: ManagedWorld, on: boolean) => world.tab.page.show(on)],
    ['offline', (world: ManagedWorld, on: boolean) => world.tab.page.connect(on)],
  ])('R37 looks not while the page is %s, and first when it is back', async (_name, set) => {
    const world = await ready();
    set(world, false);
    world.script(({ method, rpc }) => (method === 'HEAD' || rpc === 'ping' ? gone({} as never) : undefined));
    await world.clock.advance(3_600_000);
    expect(heads(world)).toBe(0);
    expect(world.server().state).toBe('ready');
    set(world, true);
    await world.settle();
    expect(heads(world)).toBe(1);
    expect(world.server().state).toBe('ready');
    await world.clock.advance(29_000);
    expect(world.server().state).toBe('ready');
    await world.clock.advance(1_000);
    expect(world.server().state).toBe('discovering');
  });

  it('R38 waits longer each time, up to 30 s, and starts small after a minute of service', async () => {
    const world = await ready();
    await lose(world);
    expect(world.server().state).toBe('discovering');
    for (const waitMs of [3_000, 6_000, 12_000, 24_000, 30_000, 30_000]) {
      const before = world.sent.length;
      await world.clock.advance(waitMs - 1);
      expect(world.sent).toHaveLength(before);
      await world.clock.advance(1);
      expect(world.sent.length).toBeGreaterThan(before);
      expect(world.server().state).toBe('failed');
    }
    world.script(() => undefined);
    await world.clock.advance(30_000);
    expect(world.server().state).toBe('ready');
    await world.clock.advance(60_000);
    await lose(world);
    world.script(() => undefined);
    await world.clock.advance(3_000);
    expect(world.server().state).toBe('ready');
  });

  it('R38 leaves a server alone for as long as it asks, up to a minute', async () => {
    const world = await ready();
    await lose(world);
    world.script(() => new Response(null, { status: 503, headers: { 'retry-after': '20' } }));
    await world.clock.advance(3_000);
    expect(world.server()).toMatchObject({
      state: 'failed',
      failure: { code: 'http_error', httpStatus: 503 },
    });
    world.script(() => new Response(null, { status: 429, headers: { 'retry-after': '7200' } }));
    let sent = world.sent.length;
    await world.clock.advance(19_999);
    expect(world.sent).toHaveLength(sent);
    await world.clock.advance(1);
    expect(world.sent.length).toBeGreaterThan(sent);
    sent = world.sent.length;
    world.script(() => undefined);
    await world.clock.advance(59_999);
    expect(world.sent).toHaveLength(sent);
    await world.clock.advance(1);
    expect(world.server().state).toBe('ready');
  });

  it.each<[string, (world: ManagedWorld) => Promise<unknown>]>([
    ['disconnect()', (world) => world.server().disconnect()],
    ['removal', (world) => world.manager.removeServer('a')],
    ['enabled: false', (world) => world.server().updateConfig({ enabled: false })],
  ])('R39 comes back no more after %s', async (_name, stop) => {
    const world = await ready();
    await lose(world);
    await stop(world);
    const sent = world.sent.length;
    world.script(() => undefined);
    await world.clock.advance(3_600_000);
    expect(world.sent).toHaveLength(sent);
    expect(world.clock.armed).toBe(0);
  });

  it('R39 stops at what does not heal by itself', async () => {
    const world = await ready({ protocolNegotiation: { pin: '2026-07-28' } }, { era: 'modern' });
    await lose(world);
    world.script(({ message }) =>
      Response.json(
        {
          jsonrpc: '2.0',
          id: message['id'],
          error: { code: -32022, message: 'other', data: { supported: ['2099-01-01'] } },
        },
        { status: 400 },
      ),
    );
    await world.clock.advance(3_000);
    const sent = world.sent.length;
    await world.clock.advance(3_600_000);
    expect(world.sent).toHaveLength(sent);
  });

  it('R40 opens a broken stream again as often as it is told, and is ready without it', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    let streams = 0;
    world.script(({ method }) => {
      if (method !== 'GET') return undefined;
      streams += 1;
      if (streams > 1) return new Response(null, { status: 500 });
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('id: 1\nretry: 1\ndata: \n\n'));
          controller.close();
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    });
    await world.add('a', {
      url: WORLD_URL,
      reconnectionOptions: { initialReconnectionDelay: 1_000, maxRetries: 3 },
      autoReconnect: { healthCheckInterval: false },
    });
    await world.clock.advance(120_000);
    expect(streams).toBe(4);
    expect(world.server().state).toBe('ready');
    expect(openings(world)).toBe(1);
  });

  it('R41 opens a lost session once for all who wait, and reads the lists again', async () => {
    const world = await ready();
    let session: string | null = null;
    world.script(({ rpc, headers }) => {
      const own = headers.get('mcp-session-id');
      if (rpc === 'initialize') return undefined;
      session ??= own;
      return own === session ? new Response(null, { status: 404 }) : undefined;
    });
    const seen = world.record();
    const calls = [1, 2, 3].map((index) => world.server().callTool('echo', { index }));
    const results = await Promise.all(calls);
    expect(results).toHaveLength(3);
    await world.clock.advance(300);
    expect(openings(world)).toBe(2);
    expect(world.lines().filter((line) => line === 'POST tools/list')).toHaveLength(2);
    expect(seen.every(({ state }) => state === 'ready')).toBe(true);
  });

  it('R41 says so when the session is lost twice in a row', async () => {
    const world = await ready();
    world.script(({ rpc, headers }) =>
      rpc !== 'initialize' && headers.has('mcp-session-id') ? new Response(null, { status: 404 }) : undefined,
    );
    await expect(world.server().callTool('echo')).rejects.toMatchObject({ code: 'session_lost' });
  });

  it.each<[McpServerConfig['autoRetry'], number]>([
    [true, 5_000],
    [1_500, 1_500],
  ])('R42 tries a first connection again: %s', async (autoRetry, everyMs) => {
    const world = createManagedWorld({ era: 'legacy', script: gone });
    await world.add('a', { url: WORLD_URL, autoRetry: autoRetry as number | boolean, autoReconnect: 77 });
    for (let turn = 0; turn < 4; turn++) {
      const before = world.sent.length;
      await world.clock.advance(everyMs - 1);
      expect(world.sent).toHaveLength(before);
      await world.clock.advance(1);
      expect(world.sent.length).toBeGreaterThan(before);
    }
    world.script(() => undefined);
    await world.clock.advance(everyMs);
    expect(world.server().state).toBe('ready');
    await lose(world);
    world.script(() => undefined);
    await world.clock.advance(77);
    expect(world.server().state).toBe('ready');
  });

  it('R42 leaves a first connection alone by default, and what cannot heal always', async () => {
    const world = createManagedWorld({ era: 'legacy', script: gone });
    await world.add('a');
    const sent = world.sent.length;
    await world.clock.advance(3_600_000);
    expect(world.sent).toHaveLength(sent);
    const refused = createManagedWorld({ script: () => new Response(null, { status: 403 }) });
    await refused.add('a', { url: WORLD_URL, autoRetry: true });
    const before = refused.sent.length;
    await refused.clock.advance(3_600_000);
    expect(refused.sent).toHaveLength(before);
  });
});
