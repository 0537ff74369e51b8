import type { AuthInfo } from '@portico/oauth/resource';
import { describe, expect, it } from 'vitest';
import { authInfoFor } from '../../../../testing/auth-info.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { type PostOptions, httpRequest, post, streamMessages } from '../../../../testing/mcp-http.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import { InMemoryServerEventBus } from '../server-events.ts';
import { createMcpHandler } from './create-mcp-handler.ts';

const INFO = { name: 'instances', version: '1' };
const settle = (): Promise<void> => createManualClock().advance(0);

interface Counts {
  made: number;
  closed: number;
}

function factoryOf(counts: Counts): (context: { authInfo?: AuthInfo }) => McpServer {
  return ({ authInfo }) => {
    counts.made += 1;
    const server = new McpServer(INFO);
    const close = server.close.bind(server);
    server.close = () => {
      counts.closed += 1;
      return close();
    };
    server.registerTool('quiet', {}, () => ({ content: [] }));
    server.registerTool('chatty', {}, async ({ mcpReq }) => {
      await mcpReq.notify({ method: 'vendor/note' });
      return { content: [] };
    });
    server.registerTool('fail', {}, () => {
      throw new TypeError('broken');
    });
    // Looks at no signal, so nothing ends it.
    server.registerTool('deaf', {}, () => new Promise(() => undefined));
    server.registerTool('wait', {}, async ({ mcpReq }) => {
      await new Promise<void>((resolve) => {
        mcpReq.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      return { content: [] };
    });
    if (authInfo?.clientId === 'admin') server.registerTool('admin', {}, () => ({ content: [] }));
    return server;
  };
}

const call = (name: string, id: string | number = 1): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: modern({ name }),
});
const listen = {
  jsonrpc: '2.0',
  id: 's',
  method: 'subscriptions/listen',
  params: modern({ notifications: { toolsListChanged: true } }),
};

describe('the servers behind a handler', () => {
  it('W112 are made for each request, told of it, and closed after it, also after errors and disconnects', async () => {
    const counts = { made: 0, closed: 0 };
    const bus = new InMemoryServerEventBus();
    const contexts: unknown[] = [];
    const make = factoryOf(counts);
    const handler = createMcpHandler(
      (context) => {
        contexts.push([context.era, context.authInfo, context.requestInfo?.headers.get('x-mine')]);
        return make(context);
      },
      { bus },
    );
    const listeners = bus.listenerCount;
    const options: PostOptions = { authInfo: authInfoFor('t'), headers: { 'x-mine': 'yes' } };
    await post(handler, call('quiet'), options);
    await post(handler, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, options);
    expect(contexts).toEqual([
      ['modern', authInfoFor('t'), 'yes'],
      ['legacy', authInfoFor('t'), 'yes'],
    ]);
    const kinds = [
      () => post(handler, call('quiet')),
      () => post(handler, call('chatty')),
      () => post(handler, call('fail')),
      () => post(handler, call('nobody')),
      () => post(handler, { jsonrpc: '2.0', id: 1, method: 'vendor/none', params: modern() }),
      () => post(handler, { jsonrpc: '2.0', method: 'vendor/note', params: modern() }),
      () => post(handler, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'chatty' } }),
      async () => {
        const response = await handler.fetch(httpRequest(listen));
        await response.body?.cancel();
      },
      ...['wait', 'deaf'].map((name) => async () => {
        const controller = new AbortController();
        const response = handler.fetch(httpRequest(call(name), { signal: controller.signal }));
        await new Promise<void>((resolve) => setImmediate(resolve));
        controller.abort();
        await response;
      }),
    ];
    for (let count = 0; count < 100; count++) await Promise.all(kinds.map((kind) => kind()));
    await settle();
    expect(counts).toEqual({ made: 1002, closed: 1002 });
    expect(bus.listenerCount).toBe(listeners);

    const shared = { made: 0, closed: 0 };
    const sharing = createMcpHandler(factoryOf(shared), { instance: 'shared' });
    for (let count = 0; count < 1000; count++) await post(sharing, call('quiet', count));
    expect(shared).toEqual({ made: 1, closed: 0 });

    const failing = createMcpHandler(() => Promise.reject(new TypeError('no server today')));
    const refused = await post(failing, call('quiet', 'id-1'));
    expect([refused.status, refused.message]).toMatchObject([500, { id: 'id-1', error: { code: -32_603 } }]);
    expect(refused.text).not.toContain('today');
  });

  it('W118 are closed with the handler: streams end gracefully, calls are aborted, later requests fail', async () => {
    const counts = { made: 0, closed: 0 };
    const handler = createMcpHandler(factoryOf(counts), { legacy: 'sessions' });
    const { fetch } = handler;
    const calls = ['wait', 'deaf'].map((name) => post({ fetch }, call(name)));
    const stream = streamMessages(await fetch(httpRequest(listen)));
    await stream.next();
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
    const opened = await post({ fetch }, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
    const standing = await fetch(httpRequest('', { method: 'GET', headers: session }));
    await settle();
    expect(counts).toEqual({ made: 4, closed: 0 });
    await handler.close();
    expect(counts).toEqual({ made: 4, closed: 4 });
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([503, 503]);
    expect((await stream.next()).value).toMatchObject({ id: 's', result: { resultType: 'complete' } });
    expect((await stream.next()).done).toBe(true);
    expect(await standing.text()).toBe('');
    for (const body of [call('quiet'), { jsonrpc: '2.0', id: 1, method: 'ping' }]) {
      expect((await post({ fetch }, body)).status).toBe(503);
    }
    expect(counts.made).toBe(4);
  });

  it('W119 list the same whoever asked before and over whichever socket, but may look at who asks', async () => {
    for (const instance of ['fresh', 'shared'] as const) {
      const handler = createMcpHandler(factoryOf({ made: 0, closed: 0 }), { instance, legacy: 'sessions' });
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
      const legacyNames = async (): Promise<string[]> => {
        const opened = await post(handler, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
        const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
        const reply = await post(handler, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, { headers });
        return namesOf(reply.message);
      };
      const modernNames = async (authInfo?: AuthInfo): Promise<string[]> =>
        namesOf(
          (
            await post(
              handler,
              { jsonrpc: '2.0', id: 2, method: 'tools/list', params: modern() },
              { authInfo },
            )
          ).message,
        );
      const names = ['quiet', 'chatty', 'fail', 'deaf', 'wait'];
      expect(await modernNames()).toEqual(names);
      for (const name of ['quiet', 'fail', 'nobody']) await post(handler, call(name));
      expect(await modernNames()).toEqual(names);
      expect([await legacyNames(), await legacyNames()]).toEqual([names, names]);
      expect(await modernNames(authInfoFor('admin'))).toEqual(
        instance === 'fresh' ? [...names, 'admin'] : names,
      );
      expect(await modernNames()).toEqual(names);
    }
  });
});

const namesOf = (message: Record<string, unknown>): string[] =>
  (message['result'] as { tools: { name: string }[] }).tools.map(({ name }) => name);
