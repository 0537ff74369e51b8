import { ProtocolError } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, scriptedTool } from '../../../testing/scripted-server.ts';
import type { ScriptedServer, ScriptedServerOptions } from '../../../testing/scripted-server.ts';
import { SdkError } from '@portico/client';
import { createConnections } from './connections.ts';
import type { Connections } from './connections.ts';
import type { ConnectionsOptions } from './options.ts';

interface Bench {
  readonly clock: ManualClock;
  readonly connections: Connections;
  /** Servers made so far, by connection id. */
  readonly servers: Map<string, ScriptedServer[]>;
}

/** Connections whose definitions are the scripts of servers in memory. */
function createBench(options: Partial<ConnectionsOptions> = {}): Bench {
  const clock = createManualClock();
  const servers = new Map<string, ScriptedServer[]>();
  const connections = createConnections({
    clock,
    clientInfo: { name: 'test', version: '1' },
    versionNegotiation: { mode: 'legacy' },
    random: () => 0.5,
    async createTransport(id, definition) {
      const script = definition as Omit<ScriptedServerOptions, 'clock'>;
      const server = await createScriptedServer({ clock, ...script });
      servers.set(id, [...(servers.get(id) ?? []), server]);
      return server.transport;
    },
    ...options,
  });
  return { clock, connections, servers };
}

const withTools = (...names: string[]): Omit<ScriptedServerOptions, 'clock'> => ({
  answers: { 'tools/list': () => ({ tools: names.map(scriptedTool) }) },
});

describe('opening', () => {
  it('is ready with its tools once they are read, and says who the server is', async () => {
    const { connections } = createBench();
    connections.add('a', withTools('one', 'two'));
    expect(connections.get('a')?.status).toBe('connecting');
    const state = await connections.connect('a');
    expect(state).toMatchObject({
      status: 'ready',
      server: { name: 'scripted', version: '1' },
      era: 'legacy',
      protocolVersion: '2025-11-25',
      attempt: 0,
    });
    expect(connections.listTools('a').map((tool) => tool.name)).toEqual(['one', 'two']);
  });

  it('drops and names a malformed tool and keeps the others', async () => {
    const { connections } = createBench();
    connections.add('a', {
      answers: {
        'tools/list': () => ({
          tools: [scriptedTool('good'), { name: 'bad', inputSchema: 7 }, scriptedTool('fine')],
        }),
      },
    });
    const state = await connections.connect('a');
    expect(state.status).toBe('ready');
    expect(state.tools.map((tool) => tool.name)).toEqual(['good', 'fine']);
    expect(state.dropped).toMatchObject([{ list: 'tools', name: 'bad' }]);
  });

  it('gives up a server that does not answer after its time and tries again', async () => {
    const { connections, clock, servers } = createBench();
    connections.add('slow', { answers: { initialize: () => new Promise(() => undefined) } });
    await clock.advance(29_999);
    expect(connections.get('slow')?.status).toBe('connecting');
    await clock.advance(1);
    expect(connections.get('slow')).toMatchObject({
      status: 'failed',
      error: { step: 'timeout' },
      attempt: 1,
      retryAtMs: clock.now() + 1_000,
    });
    await clock.advance(1_000);
    expect(connections.get('slow')?.status).toBe('connecting');
    expect(servers.get('slow')).toHaveLength(2);
  });

  it('K28 does not let servers that hang delay the others', async () => {
    const { connections } = createBench();
    for (let index = 0; index < 20; index++) {
      const hangs = index % 4 === 0;
      connections.add(`c${index}`, {
        answers: hangs ? { initialize: () => new Promise(() => undefined) } : {},
      });
    }
    await Promise.all([1, 2, 3, 5, 6, 7].map((index) => connections.connect(`c${index}`)));
    const states = [...connections.getSnapshot().values()];
    await Promise.all(states.filter((_, index) => index % 4 !== 0).map(({ id }) => connections.connect(id)));
    const ready = [...connections.getSnapshot().values()].filter(({ status }) => status === 'ready');
    expect(ready).toHaveLength(15);
  });

  it('leaves a connection alone whose failure no further try can mend', async () => {
    const { connections, clock, servers } = createBench();
    connections.add('old', { protocolVersion: '1999-01-01' });
    const state = await connections.connect('old');
    expect(state).toMatchObject({ status: 'failed', error: { code: 'UNSUPPORTED_PROTOCOL_VERSION' } });
    await clock.advance(600_000);
    expect(servers.get('old')).toHaveLength(1);
  });

  it('keeps the code of whoever could not make the channel, and does not try again', async () => {
    let made = 0;
    const { connections, clock } = createBench({
      createTransport: () => {
        made += 1;
        throw Object.assign(new RangeError('not approved'), { code: 'command_not_approved' });
      },
    });
    connections.add('a', {});
    expect(await connections.connect('a')).toMatchObject({
      status: 'failed',
      error: { code: 'command_not_approved', message: 'not approved', step: 'setup' },
    });
    await clock.advance(600_000);
    expect(made).toBe(1);
  });

  it('waits for a person when the server asks for a sign-in', async () => {
    const { connections, clock } = createBench({
      createTransport: () => {
        throw new SdkError('CLIENT_HTTP_AUTHENTICATION');
      },
    });
    connections.add('locked', {});
    const state = await connections.connect('locked');
    expect(state).toMatchObject({ status: 'needs_sign_in', error: { step: 'sign_in' } });
    await clock.advance(600_000);
    await expect(connections.callTool('locked', { name: 'x' })).rejects.toMatchObject({
      code: 'needs_sign_in',
    });
  });
});

describe('lists', () => {
  it('K28 field-D40 reads a list twice for a burst of three changes, and anew after a reconnect', async () => {
    const { connections, clock, servers } = createBench();
    let version = 0;
    let release = (): void => undefined;
    connections.add('a', {
      answers: {
        'tools/list': async () => {
          version += 1;
          const shown = version;
          if (shown === 2) {
            await new Promise<void>((resolve) => {
              release = resolve;
            });
          }
          return { tools: [scriptedTool(`v${shown}`)] };
        },
      },
    });
    await connections.connect('a');
    await clock.advance(1_000);
    const server = servers.get('a')?.[0];
    const changed = (): Promise<void> | undefined => server?.peer.notify('notifications/tools/list_changed');
    await changed();
    await changed();
    await clock.advance(0);
    await changed();
    release();
    await clock.advance(1_000);
    expect(server?.requests.filter((method) => method === 'tools/list')).toHaveLength(3);
    expect(connections.listTools('a')[0]?.name).toBe('v3');
    await connections.reconnect('a');
    expect(connections.listTools('a')[0]?.name).toBe('v4');
  });

  it('field-D40 keeps the old list when a reading fails, and reads again later', async () => {
    const { connections, clock, servers } = createBench();
    let fails = false;
    connections.add('a', {
      answers: {
        'tools/list': () => (fails ? new Promise(() => undefined) : { tools: [scriptedTool('kept')] }),
      },
    });
    await connections.connect('a');
    await clock.advance(1_000);
    fails = true;
    await servers.get('a')?.[0]?.peer.notify('notifications/tools/list_changed');
    await clock.advance(60_000);
    expect(connections.get('a')).toMatchObject({ status: 'degraded', error: { step: 'timeout' } });
    expect(connections.listTools('a').map((tool) => tool.name)).toEqual(['kept']);
    fails = false;
    await clock.advance(5_000);
    expect(connections.get('a')?.status).toBe('ready');
  });

  it('walks at most 200 pages', async () => {
    const { connections, servers } = createBench();
    connections.add('endless', {
      answers: {
        'tools/list': ({ cursor }: { cursor?: unknown }) => ({
          tools: [],
          nextCursor: `${Number(cursor ?? 0) + 1}`,
        }),
      },
    });
    const state = await connections.connect('endless');
    expect(state).toMatchObject({
      status: 'degraded',
      error: { code: 'LIST_PAGINATION_EXCEEDED' },
    });
    expect(servers.get('endless')?.[0]?.requests.length).toBe(201);
  });

  it('keeps the snapshot and the list when a reading brings the same', async () => {
    const { connections, clock, servers } = createBench();
    connections.add('a', withTools('same'));
    await connections.connect('a');
    await clock.advance(1_000);
    const before = connections.getSnapshot();
    let told = 0;
    connections.subscribe(() => {
      told += 1;
    });
    await servers.get('a')?.[0]?.peer.notify('notifications/tools/list_changed');
    await clock.advance(1_000);
    expect(servers.get('a')?.[0]?.requests.filter((method) => method === 'tools/list')).toHaveLength(2);
    expect(connections.getSnapshot()).toBe(before);
    expect(told).toBe(0);
  });
});

describe('watching', () => {
  it('tells only those who watch the connection that changed', async () => {
    const { connections } = createBench();
    connections.add('a', {}, { connect: false });
    connections.add('b', {}, { connect: false });
    const told: string[] = [];
    connections.subscribeTo('a', () => told.push('a'));
    const stop = connections.subscribeTo('b', () => told.push('b'));
    await connections.connect('a');
    expect(new Set(told)).toEqual(new Set(['a']));
    stop();
    await connections.connect('b');
    expect(told).not.toContain('b');
  });

  it('goes on when a listener throws', async () => {
    const reported: string[] = [];
    const { connections } = createBench({ onReport: (id) => reported.push(id) });
    let told = 0;
    connections.subscribe(() => {
      throw new RangeError('mine');
    });
    connections.subscribe(() => {
      told += 1;
    });
    connections.add('a', {}, { connect: false });
    expect(told).toBe(1);
    expect(reported).toEqual(['a']);
  });
});

describe('calls', () => {
  const callable = (answer: NonNullable<ScriptedServerOptions['answers']>[string]) => ({
    answers: { 'tools/call': answer },
  });

  it('opens an idle connection at its first call', async () => {
    const { connections } = createBench();
    connections.add(
      'a',
      callable(({ arguments: given }) => ({ content: [], structuredContent: given })),
      { connect: false },
    );
    const result = await connections.callTool('a', { name: 'echo', arguments: { n: 1 } });
    expect(result.structuredContent).toEqual({ n: 1 });
  });

  it('ends a call without progress after 300 s and tells the server once', async () => {
    const { connections, clock, servers } = createBench();
    connections.add(
      'a',
      callable(() => new Promise(() => undefined)),
    );
    await connections.connect('a');
    const outcome = connections.callTool('a', { name: 'x' }).catch((error: unknown) => error);
    await clock.advance(300_000);
    expect(await outcome).toMatchObject({ code: 'timeout' });
    const cancels = servers
      .get('a')?.[0]
      ?.notifications.filter(({ method }) => method === 'notifications/cancelled');
    // The engine takes cancels of open requests to itself, so nothing is left over here.
    expect(cancels).toEqual([]);
    expect(servers.get('a')?.[0]?.peer.inFlightCount).toBe(0);
  });

  it('lets progress extend a call up to one hour in all', async () => {
    const { connections, clock } = createBench();
    connections.add(
      'a',
      callable((_params, context) => {
        let progress = 0;
        const again = (): void => {
          context.progress({ progress: (progress += 1) });
          clock.setTimer(200_000, again);
        };
        again();
        return new Promise(() => undefined);
      }),
    );
    await connections.connect('a');
    let ended: unknown;
    void connections.callTool('a', { name: 'x' }).catch((error: unknown) => {
      ended = error;
    });
    await clock.advance(3_599_000);
    expect(ended).toBeUndefined();
    await clock.advance(1_000);
    expect(ended).toMatchObject({ code: 'timeout' });
  });

  it('ends a call that its caller gives up', async () => {
    const { connections, servers } = createBench();
    connections.add(
      'a',
      callable(() => new Promise(() => undefined)),
    );
    await connections.connect('a');
    const leave = new AbortController();
    const call = connections.callTool('a', { name: 'x' }, { signal: leave.signal });
    await Promise.resolve();
    leave.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    expect(servers.get('a')?.[0]?.peer.inFlightCount).toBe(0);
  });

  it('hands on the error of a server with its number', async () => {
    const { connections } = createBench();
    connections.add(
      'a',
      callable(() => {
        throw new ProtocolError(-32602, 'unknown tool', { name: 'x' });
      }),
    );
    await connections.connect('a');
    await expect(connections.callTool('a', { name: 'x' })).rejects.toMatchObject({
      code: 'server_error',
      data: { id: 'a', code: -32602, data: { name: 'x' } },
    });
  });

  it('K32 never crosses the results of calls that run at once', async () => {
    const { connections, clock } = createBench();
    connections.add(
      'a',
      callable(
        ({ arguments: given }) =>
          new Promise((resolve) => {
            const { n } = given as { n: number };
            clock.setTimer((n * 37) % 64, () => resolve({ content: [], structuredContent: { n } }));
          }),
      ),
    );
    await connections.connect('a');
    const calls = Array.from({ length: 64 }, (_, n) =>
      connections.callTool('a', { name: 'x', arguments: { n } }),
    );
    await clock.advance(100);
    const results = await Promise.all(calls);
    expect(results.map((result) => result.structuredContent)).toEqual(
      Array.from({ length: 64 }, (_, n) => ({ n })),
    );
  });

  it('refuses calls to a connection that nobody knows', async () => {
    const { connections } = createBench();
    await expect(connections.callTool('nobody', { name: 'x' })).rejects.toMatchObject({
      code: 'unknown_connection',
    });
  });
});
