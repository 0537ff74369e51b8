import { mkdtempSync, rmSync } from 'node:fs';
import { type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import {
  Client,
  type JSONRPCMessage,
  ReadBuffer,
  type Transport,
  deserializeMessage,
  serializeMessage,
} from '@portico/client';
import { McpServer, type ServerContext, inputRequired } from '@portico/server';
import { StdioServerTransport, serveStdio } from '@portico/server/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import type { Seen } from './server-routes.ts';
import { until } from './test-server.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A transport as anybody may write it for a stream of bytes, out of the published helpers. */
class SocketTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  readonly #socket: Socket;
  readonly #buffer = new ReadBuffer();

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  start(): Promise<void> {
    this.#socket.on('data', (chunk: Uint8Array) => {
      this.#buffer.append(chunk);
      for (let message = this.#buffer.readMessage(); message; message = this.#buffer.readMessage()) {
        this.onmessage?.(message);
      }
    });
    this.#socket.on('error', (error) => this.onerror?.(error));
    this.#socket.on('close', () => this.onclose?.());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): Promise<void> {
    this.#socket.destroy();
    return Promise.resolve();
  }
}

interface Ends {
  readonly client: Transport;
  readonly server: Transport;
  /** Everything written by each side, as lines. */
  readonly lines: Readonly<Record<'client' | 'server', string[]>>;
}

/** Lines of a stream, wherever its chunks are cut. */
function collect(into: string[]): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  return (chunk) => {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    into.push(...parts);
  };
}

async function overStreams(): Promise<Ends> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const lines = { client: [], server: [] };
  toServer.on('data', collect(lines.client));
  toClient.on('data', collect(lines.server));
  // The client's end of the pipe is a stdio transport the other way round.
  const client = new StdioServerTransport(toClient, toServer);
  return { client, server: new StdioServerTransport(toServer, toClient), lines };
}

async function overSocket(): Promise<Ends> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-pipe-'));
  const path = join(folder, 'socket');
  const listener = createServer();
  const accepted = new Promise<Socket>((resolve) => listener.once('connection', resolve));
  await new Promise<void>((resolve) => listener.listen(path, resolve));
  const ours = connect(path);
  const theirs = await accepted;
  cleanUps.push(() => {
    ours.destroy();
    theirs.destroy();
    listener.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const lines = { client: [], server: [] };
  theirs.on('data', collect(lines.client));
  ours.on('data', collect(lines.server));
  return { client: new SocketTransport(ours), server: new SocketTransport(theirs), lines };
}

const SAMPLE = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }],
  maxTokens: 9,
};
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

function makeServer(): McpServer {
  const server = new McpServer(
    { name: 'pipe', version: '1' },
    { capabilities: { logging: {}, resources: { subscribe: true } } },
  );
  server.registerTool('busy', {}, async ({ mcpReq }) => {
    mcpReq.progress({ progress: 1 });
    await mcpReq.log('error', 'busy');
    return { content: [] };
  });
  const asks = (context: ServerContext): unknown =>
    context.mcpReq.inputResponses === undefined
      ? inputRequired({
          inputRequests: {
            model: inputRequired.createMessage(SAMPLE),
            form: inputRequired.elicit({ message: 'm', requestedSchema: { type: 'object', properties: {} } }),
            roots: inputRequired.listRoots(),
          },
        })
      : { content: [{ type: 'text', text: Object.keys(context.mcpReq.inputResponses).join() }] };
  server.registerTool('asks', {}, (context) => asks(context) as never);
  server.registerTool('fails', {}, () => {
    throw new TypeError('broken');
  });
  server.registerTool('never', {}, () => new Promise(() => undefined));
  server.registerResource('r', 'x:r', {}, () => ({ contents: [{ uri: 'x:r', text: 'r' }] }));
  server.registerPrompt('p', {}, () => ({ messages: [] }));
  return server;
}

const kindOf = (line: string): 'request' | 'notification' | 'answer' => {
  const message = deserializeMessage(line);
  if (!('method' in message)) return 'answer';
  return 'id' in message ? 'request' : 'notification';
};
const metaOf = (message: Seen): Seen => (message['params'] as { _meta?: Seen })._meta ?? {};

describe.each([
  ['standard streams', overStreams],
  ['a Unix socket', overSocket],
] as const)('a modern pipe over %s', (_name, open) => {
  it('W86 carries answers and notifications one way, requests and notifications the other, over a full session', async () => {
    const { client: ours, server: theirs, lines } = await open();
    const server = makeServer();
    const handle = serveStdio(() => server, { transport: theirs });
    const client = new Client(
      { name: 'pipe', version: '1' },
      {
        capabilities: { sampling: {}, elicitation: { form: {} }, roots: {} },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      },
    );
    const answer = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'y' } };
    client.setRequestHandler('sampling/createMessage', () => answer);
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    const updates: unknown[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      (note) => void updates.push(note.params.uri),
    );
    const changes: string[] = [];
    client.setNotificationHandler('notifications/tools/list_changed', () => void changes.push('tools'));
    client.setNotificationHandler('notifications/prompts/list_changed', () => void changes.push('prompts'));
    await client.connect(ours);

    await Promise.all([client.listTools(), client.listResources(), client.listPrompts()]);
    await client.readResource({ uri: 'x:r' });
    await client.getPrompt({ name: 'p' });
    const logged = { 'io.modelcontextprotocol/logLevel': 'debug' };
    const heard: number[] = [];
    await client.callTool(
      { name: 'busy', _meta: logged },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    expect(heard).toEqual([1]);
    expect(await client.callTool({ name: 'asks' })).toMatchObject({
      content: [{ text: 'model,form,roots' }],
    });
    expect(await client.callTool({ name: 'fails' })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'nobody' })).rejects.toMatchObject({ code: -32_602 });
    const abort = new AbortController();
    const given = client
      .callTool({ name: 'never' }, { signal: abort.signal })
      .catch((error: unknown) => error);
    abort.abort('enough');
    expect(await given).toMatchObject({ code: 'REQUEST_ABORTED' });

    // Requests of the server's own are refused on its side, and so leave nothing on the wire.
    for (const ask of [
      () => server.server.createMessage(SAMPLE),
      () => server.server.listRoots(),
      () => server.server.ping(),
      () => server.server.notification('notifications/elicitation/complete', { elicitationId: 'e' }),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: expect.any(String) });
    }

    const tools = await client.listen({ toolsListChanged: true });
    const rest = await client.listen({ promptsListChanged: true, resourceSubscriptions: ['x:r'] });
    await server.server.sendToolListChanged();
    await server.server.sendPromptListChanged();
    await server.server.sendResourceUpdated({ uri: 'x:r' });
    // Nor does one that is written by hand go to anybody who does not listen.
    await server.server.notification('notifications/resources/list_changed');
    await server.server.notification('notifications/resources/updated', { uri: 'x:r' });
    await until(() => updates.length === 2 && changes.length === 2, 'the notices');
    expect([changes, updates]).toEqual([
      ['tools', 'prompts'],
      ['x:r', 'x:r'],
    ]);
    await tools.close();
    await handle.close();
    expect(await rest.closed).toBe('graceful');
    await client.close();

    const kinds = (side: 'client' | 'server'): string[] => [...new Set(lines[side].map(kindOf))].sort();
    expect(kinds('client')).toEqual(['notification', 'request']);
    expect(kinds('server')).toEqual(['answer', 'notification']);
    const sent = lines.server.map((line) => JSON.parse(line) as Seen);
    const ids = lines.client
      .map((line) => JSON.parse(line) as Seen)
      .filter(({ method }) => method === 'subscriptions/listen')
      .map(({ id }) => id);
    const stamps = sent
      .filter(({ method }) => /changed|updated|acknowledged/.test(String(method)))
      .map((message) => [message['method'], metaOf(message)[SUBSCRIPTION]]);
    expect(stamps).toEqual([
      ['notifications/subscriptions/acknowledged', ids[0]],
      ['notifications/subscriptions/acknowledged', ids[1]],
      ['notifications/tools/list_changed', ids[0]],
      ['notifications/prompts/list_changed', ids[1]],
      ['notifications/resources/updated', ids[1]],
      ['notifications/resources/updated', ids[1]],
    ]);
    expect(sent.some(({ method }) => method === 'notifications/message')).toBe(true);
  });

  it('W86 routes what concerns a subscription by the id in _meta alone, whatever the order, and answers nothing', async () => {
    const { client: ours, server: theirs, lines } = await open();
    const asked: Seen[] = [];
    const send = (message: object): Promise<void> =>
      theirs.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
    theirs.onmessage = (message) => {
      const { id, method } = message as unknown as Seen;
      if (method === 'subscriptions/listen') asked.push(message as unknown as Seen);
      else if (method === 'server/discover') {
        const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true } };
        const result = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities };
        void send({ id, result });
      }
    };
    await theirs.start();
    const client = new Client(
      { name: 'pipe', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    client.setRequestHandler('com.example/own', () => ({}));
    await client.connect(ours);
    // Servers of this revision ask nothing, and one that does is not answered.
    for (const method of ['ping', 'com.example/own']) await send({ id: method, method });
    const opening = [client.listen({ toolsListChanged: true }), client.listen({ promptsListChanged: true })];
    await until(() => asked.length === 2, 'both requests');
    const acknowledge = (id: unknown, notifications: object): Promise<void> =>
      send({
        method: 'notifications/subscriptions/acknowledged',
        params: { _meta: { [SUBSCRIPTION]: id }, notifications },
      });
    const [first, second] = asked.map(({ id }) => id);
    await acknowledge('nobody', { resourcesListChanged: true });
    await acknowledge(String(second), { resourcesListChanged: true });
    await acknowledge(second, { promptsListChanged: true });
    const prompts = await opening[1];
    expect(prompts?.honoredFilter).toEqual({ promptsListChanged: true });
    await acknowledge(first, { toolsListChanged: true });
    const tools = await opening[0];
    expect(tools?.honoredFilter).toEqual({ toolsListChanged: true });
    await send({ id: second, result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: second } } });
    expect(await prompts?.closed).toBe('graceful');
    let toolsEnded = false;
    void tools?.closed.then(() => (toolsEnded = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(toolsEnded).toBe(false);
    await client.close();
    expect(await tools?.closed).toBe('remote');
    expect(lines.client.map(kindOf)).not.toContain('answer');
  });
});
