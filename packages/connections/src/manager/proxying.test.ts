import { describe, expect, it } from 'vitest';
import { WORLD_URL, createManagedWorld } from '../../../../testing/managed-world.ts';
import type { ManagedWorld, WorldRequest, WorldScript } from '../../../../testing/managed-world.ts';

const PROXY = 'https://proxy.test/api/proxy';

const targetOf = ({ headers }: WorldRequest): string | null => headers.get('x-target-url');
const byProxy = (world: ManagedWorld): readonly WorldRequest[] =>
  world.sent.filter(({ url }) => url.href === PROXY);
const direct = (world: ManagedWorld): readonly WorldRequest[] =>
  world.sent.filter(({ url }) => url.href === WORLD_URL);

/** Answers those who come straight to the server with this. */
const onlyDirect =
  (answer: WorldScript): WorldScript =>
  (request) =>
    request.url.href === WORLD_URL ? answer(request) : undefined;

const status =
  (code: number): WorldScript =>
  () =>
    new Response('no', { status: code });
const broken =
  (text: string): WorldScript =>
  () => {
    throw new TypeError(text);
  };

describe('going by a proxy', () => {
  it('R44 goes past no proxy in proxy mode, and by none in direct mode', async () => {
    const world = createManagedWorld();
    const settings = { url: WORLD_URL, proxyConfig: { proxyAddress: PROXY }, autoProxyFallback: true };
    await world.add('a', { ...settings, connectionMode: 'proxy' });
    expect(world.server('a').state).toBe('ready');
    expect(direct(world)).toEqual([]);
    const sent = byProxy(world).length;
    world.script(onlyDirect(status(404)));
    await world.add('b', { ...settings, connectionMode: 'direct' });
    expect(world.server('b').state).toBe('failed');
    expect(byProxy(world)).toHaveLength(sent);
  });

  it('R44 falls back to nothing when the proxy fails', async () => {
    const world = createManagedWorld({
      script: ({ url }) => (url.href === PROXY ? new Response('no', { status: 404 }) : undefined),
    });
    await world.add('a', {
      url: WORLD_URL,
      connectionMode: 'proxy',
      proxyConfig: { proxyAddress: PROXY },
      autoProxyFallback: true,
    });
    expect(world.server()).toMatchObject({
      state: 'failed',
      failure: { code: 'http_error', httpStatus: 404 },
    });
    expect(direct(world)).toEqual([]);
  });

  it('R45 is off without an address, and says so once', async () => {
    const world = createManagedWorld({ script: status(404) });
    const server = await world.add('a', { url: WORLD_URL, autoProxyFallback: true });
    expect(server.state).toBe('failed');
    expect(server.log.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  const FALLBACK = { url: WORLD_URL, autoProxyFallback: { proxyAddress: PROXY } };

  it.each<[string, WorldScript]>([
    ['status 400', status(400)],
    ['status 404', status(404)],
    ['status 405', status(405)],
    ['status 410', status(410)],
    ['status 429', status(429)],
    // The same refusal as three browsers word it.
    ['the network, as Chromium says it', broken('Failed to fetch')],
    ['the network, as Firefox says it', broken('NetworkError when attempting to fetch resource.')],
    ['the network, as WebKit says it', broken('Load failed')],
  ])('R46 R47 R48 falls back after %s, in one attempt', async (_name, answer) => {
    const world = createManagedWorld({ script: onlyDirect(answer) });
    world.manager.addServer('a', FALLBACK);
    const seen = world.record();
    await world.settle();
    expect(world.server()).toMatchObject({ state: 'ready', autoProxyFallback: { proxyAddress: PROXY } });
    expect(seen.some(({ state }) => state === 'failed')).toBe(false);
    expect(world.server().log.filter(({ level }) => level === 'info')).toHaveLength(1);
    const before = direct(world).length;
    await world.server().reconnect();
    expect(direct(world)).toHaveLength(before);
    expect(world.server().state).toBe('ready');
    await world.server().updateConfig({ connectionMode: 'auto' });
    expect(direct(world).length).toBeGreaterThan(before);
  });

  it.each([401, 403, 500, 502, 503])('R46 does not fall back after status %i', async (code) => {
    const world = createManagedWorld({ script: onlyDirect(status(code)) });
    await world.add('a', FALLBACK);
    expect(byProxy(world)).toEqual([]);
    expect(world.server().state).not.toBe('ready');
  });

  it('R46 does not fall back when the time is over', async () => {
    const world = createManagedWorld({
      script: onlyDirect(
        ({ signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')));
          }),
      ),
    });
    await world.add('a', FALLBACK);
    await world.clock.advance(30_000);
    expect(world.server()).toMatchObject({ state: 'failed', failure: { code: 'connect_timeout' } });
    expect(byProxy(world)).toEqual([]);
  });

  it('R47 tries everything on the direct way first', async () => {
    const world = createManagedWorld({ script: onlyDirect(status(405)) });
    await world.add('a', FALLBACK);
    const lines = direct(world).map(({ method, rpc }) => `${method} ${rpc}`);
    expect(lines).toEqual(['POST server/discover', 'POST initialize', 'GET -']);
  });

  it('R48 ends with what the proxy fails with', async () => {
    const world = createManagedWorld({
      script: ({ url }) => new Response('no', { status: url.href === PROXY ? 502 : 404 }),
    });
    await world.add('a', FALLBACK);
    expect(world.server()).toMatchObject({
      state: 'failed',
      failure: { code: 'http_error', httpStatus: 502 },
    });
  });

  it('R49 comes back by the way it had', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    await world.add('a', FALLBACK);
    world.script(broken('Failed to fetch'));
    await world
      .server()
      .callTool('echo')
      .catch(() => undefined);
    await world.clock.advance(60_000);
    expect(byProxy(world)).toEqual([]);
    world.script(() => undefined);
    await world.clock.advance(30_000);
    expect(world.server().state).toBe('ready');
    expect(world.server().autoProxyFallback).toEqual({ proxyAddress: PROXY });
  });

  it('R50 keeps the request as it is and says where it is meant to go', async () => {
    const world = createManagedWorld({ era: 'legacy' });
    await world.add('a', {
      url: WORLD_URL,
      headers: { 'X-Both': 'server', 'x-own': '1' },
      proxyConfig: { proxyAddress: PROXY, headers: { 'x-both': 'proxy', 'x-proxy': 'key' } },
    });
    await world.server().disconnect();
    expect(new Set(byProxy(world).map(({ method }) => method))).toEqual(new Set(['POST', 'GET', 'DELETE']));
    for (const request of byProxy(world)) {
      expect(targetOf(request)).toBe(WORLD_URL);
      expect(request.headers.get('x-both')).toBe('server');
      expect(request.headers.get('x-own')).toBe('1');
      expect(request.headers.get('x-proxy')).toBe('key');
    }
  });

  it('R50 sends what is meant for the proxy to nobody else', async () => {
    const world = createManagedWorld({ script: onlyDirect(status(404)) });
    await world.add('a', {
      url: WORLD_URL,
      connectionMode: 'auto',
      proxyConfig: { proxyAddress: PROXY, headers: { 'x-proxy': 'key' } },
    });
    expect(world.server().state).toBe('ready');
    expect(direct(world).some(({ headers }) => headers.has('x-proxy'))).toBe(false);
    expect(byProxy(world).every(({ headers }) => headers.get('x-proxy') === 'key')).toBe(true);
  });
});
