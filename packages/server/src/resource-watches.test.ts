import { type JSONRPCMessage, ProtocolError } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { httpRequest, streamMessages } from '../../../testing/mcp-http.ts';
import { modern, openWire } from '../../../testing/mcp-wire.ts';
import { createMcpHandler } from './http/create-mcp-handler.ts';
import { Server } from './server.ts';

/** A server that takes down what is watched; it has no resource called `none`, and `late` takes its time. */
function watched() {
  const seen: string[] = [];
  let arrive = (): void => undefined;
  const late = new Promise<void>((resolve) => (arrive = resolve));
  const server = new Server(
    { name: 'watched', version: '1' },
    {
      capabilities: { resources: { subscribe: true } },
      async watchResource(uri) {
        if (uri === 'test:none') throw new ProtocolError(-32_002, 'no such resource', { uri });
        seen.push(`begin ${uri}`);
        if (uri === 'test:late') await late;
        return () => void seen.push(`end ${uri}`);
      },
    },
  );
  return { server, seen, arrive: () => arrive() };
}

const isUpdateOf = (uri: string) => (message: JSONRPCMessage) =>
  'method' in message &&
  message.method === 'notifications/resources/updated' &&
  message.params?.['uri'] === uri;

const listenBody = (...uris: string[]): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: modern({ notifications: { resourceSubscriptions: uris } }),
});

describe('whoever wants to know which resources are watched', () => {
  it('is told by legacy sessions: once for each, until the client or its session ends it', async () => {
    const { server, seen } = watched();
    const wire = await openWire((transport) => server.connect(transport));
    await wire.initialize();
    for (const uri of ['test:a', 'test:a', 'test:b']) await wire.result('resources/subscribe', { uri });
    await wire.result('resources/unsubscribe', { uri: 'test:a' });
    expect(seen).toEqual(['begin test:a', 'begin test:b', 'end test:a']);
    await wire.close();
    expect(seen).toEqual(['begin test:a', 'begin test:b', 'end test:a', 'end test:b']);
  });

  it('refuses a legacy subscription with an error of its own, and no news of it goes out', async () => {
    const { server } = watched();
    const wire = await openWire((transport) => server.connect(transport));
    await wire.initialize();
    const error = await wire.error('resources/subscribe', { uri: 'test:none' });
    expect(error).toMatchObject({ code: -32_002, data: { uri: 'test:none' } });
    await wire.result('resources/subscribe', { uri: 'test:a' });
    await server.sendResourceUpdated({ uri: 'test:none' });
    await server.sendResourceUpdated({ uri: 'test:a' });
    await wire.next(isUpdateOf('test:a'));
    expect(wire.received.some(isUpdateOf('test:none'))).toBe(false);
    await wire.close();
  });

  it('ends at once what began after the session was over', async () => {
    const { server, seen, arrive } = watched();
    const wire = await openWire((transport) => server.connect(transport));
    await wire.initialize();
    const asked = wire.request('resources/subscribe', { uri: 'test:late' });
    await wire.result('resources/subscribe', { uri: 'test:a' });
    await wire.close();
    arrive();
    await Promise.race([asked, Promise.resolve()]);
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(seen).toEqual(['begin test:late', 'begin test:a', 'end test:a', 'end test:late']);
  });

  it('is told by modern streams, which acknowledge only what is watched, until they end', async () => {
    const { server, seen } = watched();
    const handler = createMcpHandler(server);
    const controller = new AbortController();
    const request = httpRequest(listenBody('test:a', 'test:none', 'test:b'), { signal: controller.signal });
    const messages = streamMessages(await handler.fetch(request));
    const { value } = await messages.next();
    expect(value).toMatchObject({
      params: { notifications: { resourceSubscriptions: ['test:a', 'test:b'] } },
    });
    expect(seen).toEqual(['begin test:a', 'begin test:b']);
    await handler.close();
    expect(seen).toEqual(['begin test:a', 'begin test:b', 'end test:a', 'end test:b']);
    await messages.return(undefined);
  });

  it('ends what a modern client that left would have watched', async () => {
    const { server, seen, arrive } = watched();
    const handler = createMcpHandler(server);
    const controller = new AbortController();
    const answer = handler.fetch(httpRequest(listenBody('test:late'), { signal: controller.signal }));
    await new Promise<void>((resolve) => setImmediate(resolve));
    controller.abort();
    await answer;
    expect(seen).toEqual(['begin test:late']);
    arrive();
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(seen).toEqual(['begin test:late', 'end test:late']);
    await handler.close();
  });
});
