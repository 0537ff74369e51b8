import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@portico/client';
import { MODES, addWebConnector, connectorClients } from '../../../../testing/connector-clients.ts';
import type { ConnectorClients, Mode } from '../../../../testing/connector-clients.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { startTalkativeServer } from '../../../../testing/talkative-server.ts';
import type { TalkativeServer } from '../../../../testing/talkative-server.ts';

const PAIRS = MODES.flatMap((front) => MODES.map((back) => [front, back] as const));

/** Takes down what a client is told, and waits for it. */
function listenTo(client: Client) {
  const told: { readonly method: string; readonly params: Record<string, unknown> }[] = [];
  const waiting = new Set<() => void>();
  client.fallbackNotificationHandler = ({ method, params = {} }) => {
    told.push({ method, params });
    for (const look of waiting) look();
  };
  const next = (fits: (params: Record<string, unknown>, method: string) => boolean): Promise<unknown> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = told.find(({ params, method }) => fits(params, method));
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found.params);
      };
      waiting.add(look);
      look();
    });
  return { told, next };
}

describe('what a connector says of its own accord', () => {
  let host: InProcessHost;
  let clients: ConnectorClients;
  const servers = new Map<Mode, TalkativeServer>();
  const ids = new Map<Mode, string>();
  beforeAll(async () => {
    host = await startInProcessHost();
    clients = connectorClients(host);
    for (const era of MODES) {
      const server = await startTalkativeServer(era);
      servers.set(era, server);
      ids.set(era, (await addWebConnector(host, server.url, { name: era })).id);
    }
  });
  afterAll(async () => {
    await host.close();
    await Promise.all([...servers.values()].map((server) => server.close()));
  });
  const parts = (back: Mode) => ({ server: servers.get(back)!, id: ids.get(back)! });
  /** Begins to listen: legacy clients do by themselves. */
  const watch = async (client: Client, uri?: string): Promise<() => Promise<void>> => {
    if (client.getProtocolEra() === 'legacy') {
      if (uri === undefined) return () => Promise.resolve();
      await client.subscribeResource({ uri });
      return async () => void (await client.unsubscribeResource({ uri }));
    }
    const subscription = await client.listen({
      toolsListChanged: true,
      ...(uri === undefined ? {} : { resourceSubscriptions: [uri] }),
    });
    return () => subscription.close();
  };
  /** Says it until it is heard: legacy clients open their stream when they see fit. */
  const repeated = async (say: () => Promise<void>, heard: Promise<unknown>): Promise<void> => {
    let isHeard = false;
    void heard.then(() => (isHeard = true));
    await expect
      .poll(async () => {
        await say();
        return isHeard;
      })
      .toBe(true);
  };

  it.each(PAIRS)('changes of lists reach a %s client from a %s server', async (front, back) => {
    const { server, id } = parts(back);
    const client = await clients.ours(id, front);
    const { next } = listenTo(client);
    const stop = await watch(client);
    const before = (await client.listTools()).tools.length;
    await repeated(
      () => server.addTool('more'),
      next((_, method) => method === 'notifications/tools/list_changed'),
    );
    expect((await client.listTools()).tools.length).toBeGreaterThan(before);
    await stop();
    await client.close();
  });

  it.each(PAIRS)(
    'news of a resource reach a %s client from a %s server, as long as it wants them',
    async (front, back) => {
      const { server, id } = parts(back);
      const [client, other] = await Promise.all([clients.ours(id, front), clients.ours(id, front)]);
      const uri = `x:${front}-${back}`;
      const heard = listenTo(client);
      const overheard = listenTo(other);
      const stop = await watch(client, uri);
      expect(server.watched).toContain(`begin ${uri}`);
      await repeated(
        () => server.update(uri),
        heard.next((params, method) => method === 'notifications/resources/updated' && params['uri'] === uri),
      );
      expect(overheard.told.filter(({ params }) => params['uri'] === uri)).toEqual([]);
      await stop();
      await expect.poll(() => server.watched.filter((line) => line === `end ${uri}`)).toHaveLength(1);
      await Promise.all([client.close(), other.close()]);
    },
  );

  it.each(MODES)('a modern client is told which resources of a %s server it watches', async (back) => {
    const client = await clients.ours(parts(back).id, 'modern');
    const subscription = await client.listen({ resourceSubscriptions: ['x:none', 'x:some'] });
    expect(subscription.honoredFilter.resourceSubscriptions).toEqual(['x:some']);
    await subscription.close();
    await client.close();
  });

  it.each([
    ['legacy', -31_997],
    ['modern', -32_601],
  ] as const)('a legacy client is refused a resource that a %s server does not watch', async (back, code) => {
    const client = await clients.ours(parts(back).id, 'legacy');
    await expect(client.subscribeResource({ uri: 'x:none' })).rejects.toMatchObject({ code });
    await client.close();
  });

  it.each(PAIRS)('log messages of its own calls reach a %s client from a %s server', async (front, back) => {
    const { id } = parts(back);
    const level = { 'io.modelcontextprotocol/logLevel': 'info' };
    const [client, other] = await Promise.all([clients.ours(id, front), clients.ours(id, front)]);
    const heard = listenTo(client);
    const overheard = listenTo(other);
    for (const each of [client, other]) if (front === 'legacy') await each.setLoggingLevel('info');
    const _meta = front === 'modern' ? level : {};
    await Promise.all([
      client.callTool({ name: 'echo', arguments: { text: 'mine' }, _meta }),
      other.callTool({ name: 'echo', arguments: { text: 'theirs' }, _meta }),
    ]);
    const message = await heard.next((_, method) => method === 'notifications/message');
    expect(message).toEqual({ level: 'info', data: { text: 'mine' }, logger: 'echo' });
    await overheard.next((_, method) => method === 'notifications/message');
    const texts = ({ told }: typeof heard) =>
      told.map(({ params }) => (params['data'] as { text: string }).text);
    expect([texts(heard), texts(overheard)]).toEqual([['mine'], ['theirs']]);
    // Who wants only what is worse hears nothing of it.
    if (front === 'legacy') await client.setLoggingLevel('error');
    await client.callTool({ name: 'echo', arguments: { text: 'unwanted' } });
    expect(texts(heard)).toEqual(['mine']);
    await Promise.all([client.close(), other.close()]);
  });

  it('log messages of no call reach legacy clients by their level', async () => {
    const { server, id } = parts('legacy');
    const [loud, quiet] = await Promise.all([clients.ours(id, 'legacy'), clients.ours(id, 'legacy')]);
    await loud.setLoggingLevel('debug');
    await quiet.setLoggingLevel('error');
    const [heard, overheard] = [listenTo(loud), listenTo(quiet)];
    await repeated(
      () => server.log('by itself'),
      heard.next((params) => params['data'] === 'by itself'),
    );
    expect(overheard.told).toEqual([]);
    expect(server.levels).toContain('debug');
    await Promise.all([loud.close(), quiet.close()]);
  });

  it.each(PAIRS)('progress and cancels pass between a %s client and a %s server', async (front, back) => {
    const { server, id } = parts(back);
    const client = await clients.ours(id, front);
    const text = `${front}-${back}`;
    const controller = new AbortController();
    const call = client.callTool(
      { name: 'wait', arguments: { text } },
      { signal: controller.signal, onprogress: () => controller.abort() },
    );
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    await expect.poll(() => server.stopped).toContain(text);
    await client.close();
  });
});
