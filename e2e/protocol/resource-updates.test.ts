import { Client, type McpSubscription, StreamableHTTPClientTransport } from '@portico/client';
import { createMemoryTransportPair } from '@portico/rpc';
import { McpServer, createMcpHandler } from '@portico/server';
import { describe, expect, it } from 'vitest';
import { modern, openWire } from '../../testing/mcp-wire.ts';
import { until } from './test-server.ts';

const INFO = { name: 'updates', version: '1' };
const MODES = ['legacy', 'auto'] as const;

/** Two clients of one server, and how it tells them of a change. */
interface Two {
  readonly clients: readonly [Client, Client];
  readonly update: (uri: string) => void;
  readonly server: McpServer;
  readonly close: () => Promise<void>;
}

const withResources = (server: McpServer): McpServer => {
  for (const name of ['a', 'b'])
    server.registerResource(name, `test://${name}`, {}, () => ({ contents: [] }));
  return server;
};

const declared = (): McpServer =>
  withResources(new McpServer(INFO, { capabilities: { resources: { subscribe: true } } }));

/** The server's author answers subscriptions, as the official examples do. */
const handled = (): McpServer => {
  const server = withResources(new McpServer(INFO));
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => Promise.resolve({}));
  return server;
};

const client = (mode: (typeof MODES)[number]): Client => new Client(INFO, { versionNegotiation: { mode } });

async function overMemory(mode: (typeof MODES)[number], server: McpServer): Promise<Two> {
  const clients = [client(mode), client(mode)] as const;
  for (const each of clients) {
    const [ours, theirs] = createMemoryTransportPair();
    await server.server.attach(theirs);
    await each.connect(ours);
  }
  return {
    clients,
    server,
    update: (uri) => void server.server.sendResourceUpdated({ uri }),
    close: async () => void (await Promise.all(clients.map((each) => each.close()))),
  };
}

async function overHttp(mode: (typeof MODES)[number], server: McpServer): Promise<Two> {
  const handler = createMcpHandler(server, { legacy: 'sessions' });
  const clients = [client(mode), client(mode)] as const;
  let streams = 0;
  for (const each of clients) {
    await each.connect(
      new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
        fetch: async (url, init) => {
          const headers = new Headers(init?.headers);
          headers.set('host', 'localhost');
          const response = await handler.fetch(new Request(url, { ...init, headers }));
          if (init?.method === 'GET') streams += 1;
          return response;
        },
      }),
    );
  }
  if (mode === 'legacy') await until(() => streams === 2, 'streams of the server');
  return {
    clients,
    server,
    update: (uri) => void server.server.sendResourceUpdated({ uri }),
    async close() {
      await Promise.all(clients.map((each) => each.close()));
      await handler.close();
    },
  };
}

const WAYS = [
  ['memory', overMemory],
  ['http', overHttp],
] as const;
const SERVERS = [
  ['declared', declared],
  ['handled by the author', handled],
] as const;
const ROWS = MODES.flatMap((mode) =>
  WAYS.flatMap(([name, open]) => SERVERS.map(([how, make]) => ({ mode, name, open, how, make }))),
);

it.each(ROWS)(
  'W161 tells each client of the URIs it asked for, until it asks no more: $mode, $name, $how',
  async ({ mode, open, make }) => {
    const { clients, update, close } = await open(mode, make());
    const heard = clients.map((each) => {
      const uris: string[] = [];
      each.setNotificationHandler(
        'notifications/resources/updated',
        ({ params }) => void uris.push(params.uri),
      );
      return uris;
    });
    const opened: (McpSubscription | undefined)[] = [];
    for (const [index, uri] of ['test://a', 'test://b'].entries()) {
      const each = clients[index]!;
      if (mode === 'legacy') await each.subscribeResource({ uri });
      else opened.push(await each.listen({ resourceSubscriptions: [uri] }));
    }
    expect(opened.map((each) => each?.honoredFilter)).toEqual(
      mode === 'legacy'
        ? []
        : [{ resourceSubscriptions: ['test://a'] }, { resourceSubscriptions: ['test://b'] }],
    );
    for (const uri of ['test://a', 'test://other', 'test://b', 'test://a']) update(uri);
    await until(() => heard[0]?.length === 2 && heard[1]?.length === 1, 'updates');
    if (mode === 'legacy') await clients[0].unsubscribeResource({ uri: 'test://a' });
    else await opened[0]?.close();
    for (const uri of ['test://a', 'test://b']) update(uri);
    await until(() => heard[1]?.length === 2, 'the update of the other');
    expect(heard).toEqual([
      ['test://a', 'test://a'],
      ['test://b', 'test://b'],
    ]);
    await close();
  },
);

describe('subscriptions that are not offered', () => {
  const plain = (): McpServer => withResources(new McpServer(INFO));

  it('W161 are refused to legacy clients and left out of what modern ones are told', async () => {
    for (const [, open] of WAYS) {
      const legacy = await open('legacy', plain());
      await expect(legacy.clients[0].subscribeResource({ uri: 'test://a' })).rejects.toMatchObject({
        code: 'CAPABILITY_NOT_SUPPORTED',
      });
      await legacy.close();
      const fresh = await open('auto', plain());
      const subscription = await fresh.clients[0].listen({
        resourceSubscriptions: ['test://a'],
        resourcesListChanged: true,
      });
      expect(subscription.honoredFilter).toEqual({ resourcesListChanged: true });
      const uris: unknown[] = [];
      let lists = 0;
      const [each] = fresh.clients;
      each.setNotificationHandler('notifications/resources/updated', ({ params }) => void uris.push(params));
      each.setNotificationHandler('notifications/resources/list_changed', () => void (lists += 1));
      fresh.update('test://a');
      fresh.server.sendResourceListChanged();
      await until(() => lists === 1, 'the change that was asked for');
      await fresh.close();
      expect(uris).toEqual([]);
    }
    const wire = await openWire((transport) => plain().connect(transport));
    await wire.initialize();
    for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
      expect((await wire.error(method, { uri: 'test://a' })).code).toBe(-32_601);
    }
    const pipe = await openWire((transport) => declared().connect(transport));
    expect((await pipe.error('resources/subscribe', modern({ uri: 'test://a' }))).code).toBe(-32_601);
  });
});
