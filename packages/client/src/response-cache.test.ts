import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, discovered, scriptedTool } from '../../../testing/scripted-server.ts';
import type { ScriptedAnswer, ScriptedServer } from '../../../testing/scripted-server.ts';
import { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';
import { InMemoryResponseCacheStore } from './response-cache-store.ts';
import type { ResponseCacheStore } from './response-cache-store.ts';
import { MAX_CACHE_TTL_MS } from './response-cache.ts';

const DAY_MS = 86_400_000;
const INFO = { name: 'test', version: '1' };

interface World {
  readonly client: Client;
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  /** How often a method was asked. */
  readonly asked: (method: string) => number;
}

async function open(
  answers: Readonly<Record<string, ScriptedAnswer>>,
  options: ClientOptions & { readonly clock?: ManualClock; readonly serverName?: string } = {},
): Promise<World> {
  const { clock = createManualClock(), serverName, ...rest } = options;
  const server = await createScriptedServer({
    clock,
    answers: { 'server/discover': () => discovered(undefined, serverName), ...answers },
  });
  const client = new Client(INFO, { clock, versionNegotiation: { mode: 'auto' }, ...rest });
  await client.connect(server.transport);
  const asked = (method: string): number => server.requests.filter((each) => each === method).length;
  return { client, server, clock, asked };
}

const tools = (hints: object, ...names: string[]): Record<string, unknown> => ({
  resultType: 'complete',
  tools: names.map(scriptedTool),
  ...hints,
});

const contents = (text: string, hints: object): Record<string, unknown> => ({
  resultType: 'complete',
  contents: [{ uri: 'x:y', text }],
  ...hints,
});

describe('kept answers', () => {
  it('W174 are used while they are fresh, and the server is asked again after that', async () => {
    let listed = 0;
    const { client, clock, asked } = await open({
      'tools/list': () => tools({ ttlMs: 1_000 }, `t${listed++}`),
      'resources/read': () => contents('x', { ttlMs: 500 }),
    });
    const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(['t0']);
    await clock.advance(999);
    expect(await names()).toEqual(['t0']);
    expect(asked('tools/list')).toBe(1);
    await clock.advance(1);
    expect(await names()).toEqual(['t1']);
    await client.readResource({ uri: 'x:y' });
    await client.readResource({ uri: 'x:y' });
    expect(asked('resources/read')).toBe(1);
    await clock.advance(10 * DAY_MS);
    expect([asked('tools/list'), asked('resources/read')]).toEqual([2, 1]);
    expect(clock.armed).toBe(0);
  });

  it.each([undefined, -1, Number.NaN, 'long', 0])(
    'W174 are stale at once when their time is %s',
    async (ttlMs) => {
      const { client, asked } = await open({ 'tools/list': () => tools({ ttlMs }) });
      await client.listTools();
      await client.listTools();
      expect(asked('tools/list')).toBe(2);
    },
  );

  it('W174 stay at most a day', async () => {
    expect(MAX_CACHE_TTL_MS).toBe(DAY_MS);
    const { client, clock, asked } = await open({ 'tools/list': () => tools({ ttlMs: 400 * DAY_MS }) });
    await client.listTools();
    await clock.advance(DAY_MS - 1);
    await client.listTools();
    expect(asked('tools/list')).toBe(1);
    await clock.advance(1);
    await client.listTools();
    expect(asked('tools/list')).toBe(2);
  });

  it('W174 are left out or made anew as the call says', async () => {
    let listed = 0;
    const { client, asked } = await open({
      'tools/list': () => tools({ ttlMs: 1_000 }, `t${listed++}`),
      'resources/read': () => contents(`r${listed++}`, { ttlMs: 1_000 }),
    });
    const first = async (cacheMode: 'use' | 'refresh' | 'bypass'): Promise<unknown> =>
      (await client.listTools(undefined, { cacheMode })).tools[0]?.name;
    expect(await first('use')).toBe('t0');
    expect(await first('bypass')).toBe('t1');
    expect(await first('use')).toBe('t0');
    expect(await first('refresh')).toBe('t2');
    expect(await first('use')).toBe('t2');
    expect(asked('tools/list')).toBe(3);
    const read = async (cacheMode: 'use' | 'refresh' | 'bypass'): Promise<unknown> =>
      (await client.readResource({ uri: 'x:y' }, { cacheMode })).contents[0];
    expect(await read('bypass')).toMatchObject({ text: 'r3' });
    expect(await read('use')).toMatchObject({ text: 'r4' });
    expect(await read('refresh')).toMatchObject({ text: 'r5' });
    expect(await read('use')).toMatchObject({ text: 'r5' });
    await client.listTools({ cursor: 'p2' });
    expect(asked('tools/list')).toBe(4);
  });

  it('belong to who asked: what a caller does to one changes no other', async () => {
    const { client } = await open({ 'tools/list': () => tools({ ttlMs: 1_000 }, 'a') });
    const mine = await client.listTools();
    mine.tools.length = 0;
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  it('W175 have one place for each server, method and address', async () => {
    const store = new InMemoryResponseCacheStore();
    const answers = (text: string): Record<string, ScriptedAnswer> => ({
      'resources/read': ({ uri }) => contents(`${text} ${String(uri)}`, { ttlMs: 1_000 }),
      'resources/list': ({ cursor }) => ({
        resultType: 'complete',
        ttlMs: 1_000,
        resources: [{ uri: `x:${String(cursor)}`, name: 'r' }],
      }),
    });
    const one = await open(answers('one'), { responseCacheStore: store, serverName: 'one' });
    const two = await open(answers('two'), { responseCacheStore: store, serverName: 'two' });
    const read = async ({ client }: World, uri: string): Promise<unknown> =>
      (await client.readResource({ uri })).contents[0];
    for (let round = 0; round < 2; round++) {
      expect(await read(one, 'x:1')).toMatchObject({ text: 'one x:1' });
      expect(await read(one, 'x:2')).toMatchObject({ text: 'one x:2' });
      expect(await read(two, 'x:1')).toMatchObject({ text: 'two x:1' });
      expect(await read(two, '__proto__')).toMatchObject({ text: 'two __proto__' });
    }
    expect([one.asked('resources/read'), two.asked('resources/read')]).toEqual([2, 2]);
    const uris = async (cursor?: string): Promise<string[]> =>
      (await one.client.listResources(cursor === undefined ? {} : { cursor })).resources.map(
        ({ uri }) => uri,
      );
    expect(await uris()).toEqual(['x:undefined']);
    expect(await uris('p2')).toEqual(['x:p2']);
    expect(await uris('p3')).toEqual(['x:p3']);
    expect(await uris()).toEqual(['x:undefined']);
    expect(one.asked('resources/list')).toBe(3);
  });

  it('W175 are never those that took input', async () => {
    let asked = 0;
    const { client } = await open(
      {
        'resources/read': ({ inputResponses }) => {
          asked += 1;
          return inputResponses === undefined
            ? { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } }
            : contents('secret', { ttlMs: 1_000, cacheScope: 'public' });
        },
      },
      { capabilities: { roots: {} } },
    );
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    await client.readResource({ uri: 'x:y' });
    await client.readResource({ uri: 'x:y' });
    expect(asked).toBe(4);
    await client.readResource({ uri: 'x:y', inputResponses: { r: { roots: [] } } });
    await client.readResource({ uri: 'x:y' });
    expect(asked).toBe(7);
  });

  it('W176 are shared with other users only when the server says so', async () => {
    const store = new InMemoryResponseCacheStore();
    let scope: unknown = 'private';
    const answers = (who: string): Record<string, ScriptedAnswer> => ({
      'resources/read': () => contents(who, { ttlMs: 1_000, cacheScope: scope }),
    });
    const ann = await open(answers('ann'), { responseCacheStore: store, cachePartition: 'ann' });
    const bob = await open(answers('bob'), { responseCacheStore: store, cachePartition: 'bob' });
    const read = async ({ client }: World, uri: string): Promise<unknown> =>
      (await client.readResource({ uri })).contents[0];
    for (const [index, given] of ['private', undefined, 'everybody'].entries()) {
      scope = given;
      const uri = `x:${index}`;
      expect(await read(ann, uri)).toMatchObject({ text: 'ann' });
      expect(await read(bob, uri)).toMatchObject({ text: 'bob' });
      expect(await read(ann, uri)).toMatchObject({ text: 'ann' });
    }
    scope = 'public';
    expect(await read(ann, 'x:public')).toMatchObject({ text: 'ann' });
    expect(await read(bob, 'x:public')).toMatchObject({ text: 'ann' });
    // Once the server changes its mind, nothing of before is left.
    scope = 'private';
    await ann.client.readResource({ uri: 'x:public' }, { cacheMode: 'refresh' });
    expect(await read(bob, 'x:public')).toMatchObject({ text: 'bob' });
  });

  it('W176 of several pages are kept as shortly and for as few as any of the pages', async () => {
    const store = new InMemoryResponseCacheStore();
    const hints: object[] = [];
    const page: ScriptedAnswer = ({ cursor = '0' }) => {
      const index = Number(cursor);
      const next = index + 1 < hints.length ? { nextCursor: String(index + 1) } : {};
      return { resultType: 'complete', tools: [scriptedTool(`t${index}`)], ...hints[index], ...next };
    };
    const ann = await open({ 'tools/list': page }, { responseCacheStore: store, cachePartition: 'ann' });
    const bob = await open({ 'tools/list': page }, { responseCacheStore: store, cachePartition: 'bob' });
    const cases: readonly [object[], object][] = [
      [
        [
          { ttlMs: 900, cacheScope: 'public' },
          { ttlMs: 300, cacheScope: 'public' },
        ],
        { ttlMs: 300, cacheScope: 'public' },
      ],
      [
        [
          { ttlMs: 900, cacheScope: 'public' },
          { ttlMs: 900, cacheScope: 'private' },
        ],
        { ttlMs: 900, cacheScope: 'private' },
      ],
      [[{ ttlMs: 900, cacheScope: 'public' }, {}], { ttlMs: 0, cacheScope: 'private' }],
    ];
    for (const [given, expected] of cases) {
      hints.splice(0, hints.length, ...given);
      const list = await ann.client.listTools(undefined, { cacheMode: 'refresh' });
      expect(list).toMatchObject(expected);
      expect(list.tools).toHaveLength(2);
    }
    hints.splice(0, hints.length, ...(cases[1]?.[0] ?? []));
    await ann.client.listTools(undefined, { cacheMode: 'refresh' });
    const before = bob.asked('tools/list');
    await bob.client.listTools();
    expect(bob.asked('tools/list')).toBe(before + 2);
  });

  it('W177 are dropped when the server tells of a change, also those still on their way field-D38', async () => {
    let answer: (() => void) | undefined;
    let slow = false;
    let listed = 0;
    const { client, server, clock, asked } = await open({
      'tools/list': () => {
        const result = tools({ ttlMs: 1_000 }, `t${listed++}`);
        return slow ? new Promise((resolve) => (answer = () => resolve(result))) : result;
      },
      'resources/read': ({ uri }) => contents(String(uri), { ttlMs: 1_000 }),
    });
    const first = async (): Promise<unknown> => (await client.listTools()).tools[0]?.name;
    slow = true;
    const early = first();
    await clock.advance(0);
    await server.peer.notify('notifications/tools/list_changed');
    slow = false;
    answer?.();
    expect(await early).toBe('t0');
    expect(await first()).toBe('t1');
    expect(await first()).toBe('t1');
    await server.peer.notify('notifications/tools/list_changed');
    expect(await first()).toBe('t2');
    await client.readResource({ uri: 'x:1' });
    await client.readResource({ uri: 'x:2' });
    await server.peer.notify('notifications/resources/updated', { uri: 'x:1' });
    await client.readResource({ uri: 'x:1' });
    await client.readResource({ uri: 'x:2' });
    expect(asked('resources/read')).toBe(3);
    await server.peer.notify('notifications/prompts/list_changed');
    expect(await first()).toBe('t2');
  });

  it('W177 outlive a connection only in a store that was given', async () => {
    for (const responseCacheStore of [undefined, new InMemoryResponseCacheStore()]) {
      const clock = createManualClock();
      const answers = { 'tools/list': () => tools({ ttlMs: 1_000 }) };
      const given = responseCacheStore === undefined ? {} : { responseCacheStore };
      const { client } = await open(answers, { clock, ...given });
      await client.listTools();
      await client.close();
      const again = await createScriptedServer({
        clock,
        answers: { 'server/discover': () => discovered(), ...answers },
      });
      await client.connect(again.transport);
      await client.listTools();
      expect(again.requests.includes('tools/list')).toBe(responseCacheStore === undefined);
    }
  });

  it('W177 of resources are the 512 newest, and lists are not counted', async () => {
    const { client, asked } = await open({
      'tools/list': () => tools({ ttlMs: 1_000 }),
      'resources/read': ({ uri }) => contents(String(uri), { ttlMs: 1_000 }),
    });
    await client.listTools();
    for (let n = 0; n < 600; n++) await client.readResource({ uri: `x:${n}` });
    expect(asked('resources/read')).toBe(600);
    await client.readResource({ uri: 'x:88' });
    await client.readResource({ uri: 'x:599' });
    expect(asked('resources/read')).toBe(600);
    await client.readResource({ uri: 'x:87' });
    expect(asked('resources/read')).toBe(601);
    await client.listTools();
    expect(asked('tools/list')).toBe(1);
    const store = new InMemoryResponseCacheStore({ maxEntries: 0 });
    for (let n = 0; n < 600; n++) store.set({ method: 'resources/read', params: `${n}` }, { value: '{}' });
    expect(store.size).toBe(600);
  });

  it('W178 may lie in a store that answers later or not at all', async () => {
    const inner = new InMemoryResponseCacheStore();
    const later: ResponseCacheStore = {
      get: async (key) => Promise.resolve(inner.get(key)),
      set: async (key, entry) => Promise.resolve(inner.set(key, entry)),
      delete: async (key) => Promise.resolve(inner.delete(key)),
      evict: async (method) => Promise.resolve(inner.evict(method)),
      clear: async () => Promise.resolve(inner.clear()),
    };
    const answers = {
      'tools/list': () => tools({ ttlMs: 1_000 }, 'a'),
      'resources/read': () => contents('x', { ttlMs: 1_000 }),
    };
    const good = await open(answers, { responseCacheStore: later });
    await good.client.listTools();
    await good.client.listTools();
    expect(good.asked('tools/list')).toBe(1);
    const fail = (): never => {
      throw new TypeError('store is down');
    };
    const failing: readonly ResponseCacheStore[] = [
      { get: fail, set: fail, delete: fail, evict: fail, clear: fail },
      {
        get: () => Promise.reject(new TypeError('store is down')),
        set: () => Promise.reject(new TypeError('store is down')),
        delete: () => Promise.reject(new TypeError('store is down')),
        evict: () => Promise.reject(new TypeError('store is down')),
        clear: () => Promise.reject(new TypeError('store is down')),
      },
      { ...later, get: () => ({ value: 'no JSON', stamp: 1, expiresAt: Number.MAX_VALUE }) },
    ];
    for (const responseCacheStore of failing) {
      const { client, server, asked } = await open(answers, { responseCacheStore });
      const errors: Error[] = [];
      client.onerror = (error) => errors.push(error);
      expect((await client.listTools()).tools).toHaveLength(1);
      expect((await client.listTools()).tools).toHaveLength(1);
      expect((await client.readResource({ uri: 'x:y' })).contents).toHaveLength(1);
      await server.peer.notify('notifications/tools/list_changed');
      expect(asked('tools/list')).toBe(2);
      expect(errors.length).toBeGreaterThan(0);
    }
  });

  it('W178 of servers that say nothing stay as long as the option says', async () => {
    for (const defaultCacheTtlMs of [undefined, 1_000]) {
      const clock = createManualClock();
      const server = await createScriptedServer({ clock });
      const given = defaultCacheTtlMs === undefined ? {} : { defaultCacheTtlMs };
      const client = new Client(INFO, { clock, ...given });
      await client.connect(server.transport);
      await client.listTools();
      await client.listTools();
      const once = defaultCacheTtlMs === undefined ? 2 : 1;
      expect(server.requests.filter((method) => method === 'tools/list')).toHaveLength(once);
      await clock.advance(1_000);
      await client.listTools();
      expect(server.requests.filter((method) => method === 'tools/list')).toHaveLength(once + 1);
    }
  });
});
