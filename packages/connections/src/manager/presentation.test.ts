import { describe, expect, it } from 'vitest';
import { OwnServer, WORLD_URL, createManagedWorld, echoServer } from '../../../../testing/managed-world.ts';

const image = (): Response => new Response('pixels', { headers: { 'content-type': 'image/png' } });
const DATA_URL = `data:image/png;base64,${btoa('pixels')}`;

describe('how a managed server presents itself', () => {
  it('R117 has the name that the server gives, and never its address', async () => {
    const world = createManagedWorld();
    world.manager.addServer('a', { url: WORLD_URL, displayName: 'Mine' });
    expect(world.server()).toMatchObject({ name: '', displayName: 'Mine' });
    await world.settle();
    expect(world.server()).toMatchObject({ name: 'echo-server', displayName: 'Mine' });
    world.manager.addServer('b', { url: WORLD_URL });
    await world.settle();
    expect(world.server('b')).not.toHaveProperty('displayName');
  });

  it('R118 is renamed without a request, and loses the name with an empty text', async () => {
    const world = createManagedWorld();
    const server = await world.add('a');
    const sent = world.sent.length;
    const seen = world.record();
    await server.setDisplayName('Mine');
    expect(world.server()).toMatchObject({ displayName: 'Mine', name: 'echo-server', state: 'ready' });
    await server.setDisplayName('');
    expect(world.server()).not.toHaveProperty('displayName');
    expect(world.sent).toHaveLength(sent);
    expect(seen.every(({ state }) => state === 'ready')).toBe(true);
  });

  it('R119 R120 shows its icon once it is there, with one fetch for all who wait', async () => {
    let asked = 0;
    const icon = (): Response => {
      asked += 1;
      return image();
    };
    const world = createManagedWorld({ icon });
    await world.add('a');
    const server = world.server();
    await expect(Promise.all([server.ensureIconLoaded(), server.ensureIconLoaded()])).resolves.toEqual([
      DATA_URL,
      DATA_URL,
    ]);
    expect(world.server().serverInfo).toMatchObject({ name: 'echo-server', icon: DATA_URL });
    expect(asked).toBe(1);
  });

  it('R120 R121 is as usable without an icon, and says that there is none', async () => {
    const world = createManagedWorld({ icon: () => new Response('text', { status: 500 }) });
    const server = await world.add('a');
    expect(server.state).toBe('ready');
    await expect(server.ensureIconLoaded()).resolves.toBeNull();
    await server.disconnect();
    await expect(server.ensureIconLoaded()).resolves.toBeNull();
    expect(world.server().log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('R17 R119 shows nothing of the old icon at another address', async () => {
    const icons = [image];
    const world = createManagedWorld({
      icon: () => (icons.pop() ?? (() => new Response(null, { status: 404 })))(),
    });
    const server = await world.add('a');
    await server.ensureIconLoaded();
    await server.updateConfig({ url: 'https://other.test/mcp' });
    expect(world.server().state).toBe('ready');
    expect(world.server().serverInfo).not.toHaveProperty('icon');
  });
});

describe('what a managed server says', () => {
  it('R108 outlives a new connection and an ended one, and tells its listener once each', async () => {
    const own = echoServer();
    const world = createManagedWorld({ era: 'legacy', build: () => own });
    const heard: string[] = [];
    world.manager.addServer('a', {
      url: WORLD_URL,
      onNotification: ({ method }) => {
        heard.push(method);
        throw new Error('a listener that fails');
      },
    });
    await world.settle();
    own.sendToolListChanged();
    await world.settle();
    const [kept] = world.server().notifications;
    expect(kept).toMatchObject({ method: 'notifications/tools/list_changed', read: false });
    expect(heard).toEqual(['notifications/tools/list_changed']);
    expect(world.server().log.filter(({ level }) => level === 'error')).toHaveLength(1);
    await world.server().reconnect();
    expect(world.server().notifications).toEqual([kept]);
    await world.server().disconnect();
    expect(world.server().notifications).toEqual([kept]);
    await world.manager.removeServer('a');
    await world.add('a');
    expect(world.server().notifications).toEqual([]);
  });

  it('R162 R107 tells readers once of two hundred in a burst, and keeps each of them once', async () => {
    const own = new OwnServer({ name: 's', version: '1' }, { capabilities: { logging: {} } });
    const world = createManagedWorld({ era: 'legacy', build: () => own });
    await world.add('a');
    let told = 0;
    world.manager.subscribeTo('a', () => (told += 1));
    for (let index = 0; index < 200; index += 1) {
      await own.server.notification('notifications/message', { level: 'info', data: index });
    }
    await world.settle();
    const kept = world.server().notifications.map(({ params }) => params?.['data']);
    expect(kept).toEqual(Array.from({ length: 200 }, (_, index) => 199 - index));
    expect(world.server().unreadNotificationCount).toBe(200);
    expect(told).toBe(1);
  });

  it('R91 reads a list twice for a burst whose last notice comes while it is read', async () => {
    const own = echoServer();
    const world = createManagedWorld({ era: 'legacy', build: () => own });
    await world.add('a');
    await world.clock.advance(1_000);
    let hold = (): void => undefined;
    let reads = 0;
    world.script(async ({ rpc }) => {
      if (rpc !== 'tools/list') return undefined;
      reads += 1;
      if (reads === 1) await new Promise<void>((resolve) => (hold = resolve));
      return undefined;
    });
    own.sendToolListChanged();
    await world.clock.advance(10);
    own.sendToolListChanged();
    own.registerTool('more', {}, () => ({ content: [] }));
    await world.clock.advance(10);
    expect(reads).toBe(1);
    hold();
    await world.clock.advance(5_000);
    expect(reads).toBe(2);
    expect(world.server().tools.map(({ name }) => name)).toEqual(['echo', 'more']);
  });

  it('R91 tries again with growing waits when a list cannot be read, and keeps the old one', async () => {
    const own = echoServer();
    const world = createManagedWorld({ era: 'legacy', build: () => own });
    await world.add('a', { url: WORLD_URL, autoReconnect: { healthCheckInterval: false } });
    await world.clock.advance(1_000);
    const reads: number[] = [];
    world.script(({ rpc }) => {
      if (rpc !== 'tools/list') return undefined;
      reads.push(world.clock.now());
      return new Response(null, { status: 503 });
    });
    own.registerTool('more', {}, () => ({ content: [] }));
    await world.clock.advance(60_000);
    const waits = reads.slice(1).map((atMs, index) => atMs - (reads[index] ?? 0));
    expect(waits.length).toBeGreaterThan(2);
    expect(waits.slice(1).every((wait, index) => wait >= (waits[index] ?? 0))).toBe(true);
    expect(world.server()).toMatchObject({ state: 'ready', tools: [{ name: 'echo' }] });
    world.script(() => undefined);
    await world.clock.advance(60_000);
    expect(world.server().tools).toHaveLength(2);
  });
});
