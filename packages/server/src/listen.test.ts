import type { JSONRPCMessage } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { httpRequest, post, streamMessages } from '../../../testing/mcp-http.ts';
import { modern, openWire } from '../../../testing/mcp-wire.ts';
import { createMcpHandler } from './http/create-mcp-handler.ts';
import { McpServer } from './mcp/mcp-server.ts';
import { InMemoryServerEventBus } from './server-events.ts';

const KEY = 'io.modelcontextprotocol/subscriptionId';
const ALL = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['test://a'],
};

const make = (): McpServer =>
  new McpServer(
    { name: 'listen', version: '1' },
    { capabilities: { tools: {}, resources: { subscribe: true, listChanged: true } } },
  );

const listenBody = (id: string | number, notifications: unknown): object => ({
  jsonrpc: '2.0',
  id,
  method: 'subscriptions/listen',
  params: modern(notifications === undefined ? {} : { notifications }),
});

const stampOf = (message: unknown): unknown => {
  const { params, result } = message as { params?: { _meta?: object }; result?: { _meta?: object } };
  return ((params ?? result)?._meta as Record<string, unknown> | undefined)?.[KEY];
};

describe('subscriptions over HTTP', () => {
  it('W114 acknowledge first, with the id and only what is asked for and offered', async () => {
    const handler = createMcpHandler(make());
    const rows: readonly [id: string | number, asked: object, honoured: object][] = [
      [0, ALL, { toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ['test://a'] }],
      ['a', { promptsListChanged: true }, {}],
      [7, { toolsListChanged: false, resourcesListChanged: true }, { resourcesListChanged: true }],
    ];
    for (const [id, asked, honoured] of rows) {
      const response = await handler.fetch(httpRequest(listenBody(id, asked)));
      const messages = streamMessages(response);
      handler.notify.toolsChanged();
      const first = (await messages.next()).value as { params: object };
      expect(first).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: honoured, _meta: { [KEY]: id } },
      });
      await messages.return(undefined);
    }
    const wire = await openWire((transport) => make().connect(transport));
    for (const id of [0, 'a', 7]) {
      await wire.send(listenBody(id, ALL) as JSONRPCMessage);
      const acknowledged = await wire.next((message) => stampOf(message) === id);
      expect(acknowledged).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    }
  });

  it('W115 get what they asked for, stamped with their own id, and nothing else', async () => {
    const handler = createMcpHandler(make());
    const open = async (
      id: string,
      notifications: object,
    ): Promise<AsyncGenerator<Record<string, unknown>>> => {
      const messages = streamMessages(await handler.fetch(httpRequest(listenBody(id, notifications))));
      await messages.next();
      return messages;
    };
    const tools = await open('tools', { toolsListChanged: true });
    const one = await open('one', { resourceSubscriptions: ['test://a'] });
    const two = await open('two', { resourceSubscriptions: ['test://b'], toolsListChanged: true });
    handler.notify.promptsChanged();
    handler.notify.resourcesChanged();
    handler.notify.resourceUpdated('test://a');
    handler.notify.resourceUpdated('test://a/b');
    handler.notify.resourceUpdated('test://b');
    handler.notify.toolsChanged();
    const next = async (stream: AsyncGenerator<Record<string, unknown>>): Promise<unknown[]> => {
      const { value } = (await stream.next()) as { value: { method: string; params: { uri?: string } } };
      return [value.method, value.params.uri, stampOf(value)];
    };
    expect(await next(tools)).toEqual(['notifications/tools/list_changed', undefined, 'tools']);
    expect(await next(one)).toEqual(['notifications/resources/updated', 'test://a', 'one']);
    expect(await next(two)).toEqual(['notifications/resources/updated', 'test://b', 'two']);
    expect(await next(two)).toEqual(['notifications/tools/list_changed', undefined, 'two']);
    // Nothing else came in between: not for what only begins with an address that was asked for, either.
    handler.notify.resourceUpdated('test://a');
    handler.notify.toolsChanged();
    expect(await next(one)).toEqual(['notifications/resources/updated', 'test://a', 'one']);
    expect(await next(tools)).toEqual(['notifications/tools/list_changed', undefined, 'tools']);
    const bare = await post(handler, listenBody(1, undefined));
    expect(bare.message).toMatchObject({ error: { code: -32_602 } });
    await handler.close();
  });

  it('W116 end with a stamped result when the server ends them, and are limited in number', async () => {
    const handler = createMcpHandler(make(), { maxSubscriptions: 2 });
    const streams = await Promise.all(
      ['x', 'y'].map(async (id) => streamMessages(await handler.fetch(httpRequest(listenBody(id, ALL))))),
    );
    for (const stream of streams) await stream.next();
    const third = await post(handler, listenBody('z', ALL));
    expect([third.status, third.messages]).toMatchObject([200, [{ id: 'z', error: { code: -32_603 } }]]);
    await handler.close();
    for (const [index, stream] of streams.entries()) {
      const last = (await stream.next()).value as { id: string; result: object };
      expect([last.id, last.result]).toMatchObject([['x', 'y'][index], { resultType: 'complete' }]);
      expect(stampOf(last)).toBe(last.id);
      expect((await stream.next()).done).toBe(true);
    }
    const server = make();
    const wire = await openWire((transport) => server.connect(transport));
    await wire.send(listenBody(7, ALL) as JSONRPCMessage);
    await wire.next((message) => stampOf(message) === 7);
    await server.close();
    expect(wire.received.slice(1)).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: 7 } },
      { id: 7, result: { resultType: 'complete' } },
    ]);
  });

  it('W117 hear of changes by the handler, the bus and the server’s own registrations', async () => {
    const bus = new InMemoryServerEventBus();
    const server = make();
    const shared = createMcpHandler(server, { bus });
    const made = createMcpHandler(() => make(), { bus });
    shared.notify.toolsChanged();
    const listenTo = async (handler: typeof shared): Promise<AsyncGenerator<Record<string, unknown>>> => {
      const messages = streamMessages(await handler.fetch(httpRequest(listenBody('s', ALL))));
      await messages.next();
      return messages;
    };
    const streams = [await listenTo(shared), await listenTo(made)];
    made.notify.resourceUpdated('test://a');
    server.registerTool('new', {}, () => ({ content: [] }));
    bus.publish({ kind: 'resources_list_changed' });
    for (const stream of streams) {
      const methods = [];
      for (let count = 0; count < 3; count++) {
        methods.push(((await stream.next()).value as { method: string }).method);
      }
      expect(methods).toEqual([
        'notifications/resources/updated',
        'notifications/tools/list_changed',
        'notifications/resources/list_changed',
      ]);
      await stream.return(undefined);
    }
    const piped = make();
    const wire = await openWire((transport) => piped.connect(transport));
    await wire.send(listenBody('p', ALL) as JSONRPCMessage);
    await piped.server.sendResourceUpdated({ uri: 'test://a' });
    expect(stampOf(wire.received.at(-1))).toBe('p');
  });

  it('free their place when the client goes', async () => {
    const handler = createMcpHandler(make(), { maxSubscriptions: 1 });
    for (let count = 0; count < 3; count++) {
      const response = await handler.fetch(httpRequest(listenBody(count, ALL)));
      const messages = streamMessages(response);
      expect((await messages.next()).value).toMatchObject({
        method: 'notifications/subscriptions/acknowledged',
      });
      await messages.return(undefined);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  });

  it('stop with the handler: calls are aborted and later requests fail', async () => {
    const server = make();
    let aborted = false;
    server.registerTool('wait', {}, async ({ mcpReq }) => {
      await new Promise<void>((resolve) => {
        mcpReq.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      aborted = true;
      return { content: [] };
    });
    const handler = createMcpHandler(server);
    const { fetch } = handler;
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: modern({ name: 'wait' }) };
    const call = post({ fetch }, body);
    const stream = streamMessages(await fetch(httpRequest(listenBody('s', ALL))));
    await stream.next();
    await handler.close();
    expect((await call).status).toBe(503);
    expect(aborted).toBe(true);
    expect((await stream.next()).value).toMatchObject({ id: 's', result: {} });
    expect((await post({ fetch }, body)).status).toBe(503);
  });
});
