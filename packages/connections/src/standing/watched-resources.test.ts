import { ProtocolError } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createScriptedServer, discovered } from '../../../../testing/scripted-server.ts';
import type { ScriptedServer, ScriptedServerOptions } from '../../../../testing/scripted-server.ts';
import { createConnections } from '../connections.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** One connection to servers of a script, one for each opening, with what they were heard to say. */
function bench(script: () => Omit<ScriptedServerOptions, 'clock'>) {
  const clock = createManualClock();
  const servers: ScriptedServer[] = [];
  const heard: unknown[] = [];
  const connections = createConnections({
    clock,
    clientInfo: { name: 'test', version: '1' },
    random: () => 0.5,
    async createTransport() {
      const server = await createScriptedServer({ clock, ...script() });
      servers.push(server);
      return server.transport;
    },
    onNotification: (_id, { method, params }) => {
      if (method === 'notifications/resources/updated') heard.push(params?.['uri']);
    },
  });
  return { clock, connections, servers, heard, newest: () => servers.at(-1)! };
}

const refuseNone = ({ uri }: Record<string, unknown>): object => {
  if (uri === 'x:none') throw new ProtocolError(-32_050, 'no such resource', { uri });
  return {};
};

const legacy = (): Omit<ScriptedServerOptions, 'clock'> => ({
  capabilities: { resources: { subscribe: true }, logging: {} },
  answers: {
    'resources/list': () => ({ resources: [] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/subscribe': refuseNone,
    'resources/unsubscribe': () => ({}),
    'logging/setLevel': () => ({}),
  },
});

const asked = ({ messages }: ScriptedServer): string[] =>
  messages
    .filter(({ method }) => method === 'resources/subscribe' || method === 'resources/unsubscribe')
    .map(({ method, params }) => `${method.slice('resources/'.length)} ${String(params?.['uri'])}`);

describe('resources of a legacy server that are watched', () => {
  it('are subscribed to once for all who want them, and no longer than somebody does', async () => {
    const { connections, newest } = bench(legacy);
    connections.add('a', {});
    const [first, second] = await Promise.all([
      connections.watchResource('a', 'x:one'),
      connections.watchResource('a', 'x:one'),
    ]);
    first();
    first();
    await connections.request('a', 'ping');
    expect(asked(newest())).toEqual(['subscribe x:one']);
    second();
    const third = await connections.watchResource('a', 'x:one');
    expect(asked(newest())).toEqual(['subscribe x:one', 'unsubscribe x:one', 'subscribe x:one']);
    third();
    await connections.close();
  });

  it('are refused with the error of the server, and asked for anew by the next who wants them', async () => {
    const { connections, newest } = bench(legacy);
    connections.add('a', {});
    for (let time = 0; time < 2; time += 1) {
      await expect(connections.watchResource('a', 'x:none')).rejects.toMatchObject({
        code: 'server_error',
        data: { code: -32_050, data: { uri: 'x:none' } },
      });
    }
    expect(asked(newest())).toEqual(['subscribe x:none', 'subscribe x:none']);
    await connections.close();
  });

  it('are subscribed to again on a new connection, and told of once for what was missed', async () => {
    const { clock, connections, servers, heard, newest } = bench(legacy);
    connections.add('a', {});
    const stop = await connections.watchResource('a', 'x:one');
    await newest().peer.notify('notifications/resources/updated', { uri: 'x:one' });
    expect(heard).toEqual(['x:one']);
    await newest().peer.close();
    await clock.advance(1_000);
    await connections.connect('a');
    expect(servers).toHaveLength(2);
    await clock.advance(0);
    expect(asked(newest())).toEqual(['subscribe x:one']);
    expect(heard).toEqual(['x:one', 'x:one']);
    await connections.remove('a');
    // Whoever lets go of it later opens nothing.
    stop();
    await clock.advance(60_000);
    expect(servers).toHaveLength(2);
    expect(clock.armed).toBe(0);
  });
});

interface Listener {
  readonly id: unknown;
  readonly uris: readonly string[];
  end(): void;
}

/** A modern server with its streams; what is called `none` it does not watch. */
function modern(listeners: Listener[], open: Set<Listener>): Omit<ScriptedServerOptions, 'clock'> {
  return {
    answers: {
      'server/discover': () => discovered({ resources: { subscribe: true } }),
      'resources/list': () => ({ resources: [] }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
      'subscriptions/listen': async ({ notifications }, context) => {
        const { resourceSubscriptions = [] } = notifications as { resourceSubscriptions?: string[] };
        const _meta = { [SUBSCRIPTION]: context.id };
        const uris = resourceSubscriptions.filter((uri) => uri !== 'x:none');
        await context.notify('notifications/subscriptions/acknowledged', {
          _meta,
          notifications: { resourceSubscriptions: uris },
        });
        await new Promise<void>((resolve) => {
          const listener = { id: context.id, uris: resourceSubscriptions, end: resolve };
          listeners.push(listener);
          open.add(listener);
          context.signal.addEventListener('abort', () => resolve());
        });
        for (const listener of open) if (listener.id === context.id) open.delete(listener);
        return { resultType: 'complete', _meta };
      },
    },
  };
}

describe('resources of a modern server that are watched', () => {
  const begin = () => {
    const listeners: Listener[] = [];
    const open = new Set<Listener>();
    const started = bench(() => modern(listeners, open));
    started.connections.add('a', {});
    return { ...started, listeners, open };
  };

  it('share one stream, which is another one when they become more or less', async () => {
    const { clock, connections, listeners, open } = begin();
    const [one, two] = await Promise.all([
      connections.watchResource('a', 'x:one'),
      connections.watchResource('a', 'x:two'),
    ]);
    const three = await connections.watchResource('a', 'x:three');
    await clock.advance(0);
    expect([...open].map(({ uris }) => uris)).toEqual([['x:one', 'x:two', 'x:three']]);
    two();
    await clock.advance(0);
    expect([...open].map(({ uris }) => uris)).toEqual([['x:one', 'x:three']]);
    one();
    three();
    await clock.advance(0);
    expect(open.size).toBe(0);
    expect(listeners.length).toBeLessThanOrEqual(4);
    await connections.close();
  });

  it('are refused where the server leaves them out, and the others go on', async () => {
    const { clock, connections, open } = begin();
    await connections.watchResource('a', 'x:one');
    await expect(connections.watchResource('a', 'x:none')).rejects.toMatchObject({ code: 'not_supported' });
    await clock.advance(0);
    expect([...open].map(({ uris }) => uris)).toEqual([['x:one']]);
    await connections.close();
  });

  it('are listened to again after a stream broke, later each time, and told of once', async () => {
    const { clock, connections, listeners, heard } = begin();
    await connections.watchResource('a', 'x:one');
    for (const delayMs of [1_000, 2_000]) {
      const before = listeners.length;
      listeners.at(-1)!.end();
      await clock.advance(delayMs - 1);
      expect(listeners).toHaveLength(before);
      await clock.advance(1);
      expect(listeners).toHaveLength(before + 1);
    }
    expect(heard).toEqual(['x:one', 'x:one']);
    await connections.close();
    expect(clock.armed).toBe(0);
  });

  it('are listened to again on a new connection', async () => {
    const { clock, connections, listeners, newest } = begin();
    await connections.watchResource('a', 'x:one');
    await newest().peer.close();
    await clock.advance(1_000);
    await connections.connect('a');
    await clock.advance(0);
    expect(listeners.map(({ uris }) => uris)).toEqual([['x:one'], ['x:one']]);
    await connections.close();
  });
});

describe('the log level of a legacy server', () => {
  const levels = ({ messages }: ScriptedServer): unknown[] =>
    messages.filter(({ method }) => method === 'logging/setLevel').map(({ params }) => params?.['level']);

  it('is the one of whoever wants most, also after the connection was opened anew', async () => {
    const { clock, connections, newest } = bench(legacy);
    connections.add('a', {});
    await connections.wantLogs('a', 'warning');
    const stop = await connections.wantLogs('a', 'debug');
    await connections.wantLogs('a', 'error');
    expect(levels(newest())).toEqual(['warning', 'debug']);
    stop();
    await clock.advance(0);
    expect(levels(newest())).toEqual(['warning', 'debug', 'warning']);
    await newest().peer.close();
    await clock.advance(1_000);
    await connections.connect('a');
    await clock.advance(0);
    expect(levels(newest())).toEqual(['warning']);
    await connections.close();
  });

  it('is refused where the server does not log', async () => {
    const { connections } = bench(() => ({}));
    connections.add('a', {});
    await expect(connections.wantLogs('a', 'debug')).rejects.toMatchObject({ code: 'not_supported' });
    await connections.close();
  });
});
