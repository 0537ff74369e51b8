import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@portico/rpc';
import { createMemoryTransportPair, isJSONRPCRequest } from '@portico/rpc';
import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedFetch, jsonResult } from '../../../testing/scripted-fetch.ts';
import type { ScriptedFetch, SentRequest } from '../../../testing/scripted-fetch.ts';
import { Client } from './client.ts';
import { StreamableHTTPClientTransport } from './http/transport.ts';
import type { SubscriptionEnd } from './subscription.ts';

const clock = createManualClock();
const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: { listChanged: true } },
};
const ID = 'io.modelcontextprotocol/subscriptionId';

/** The server's end of one listen stream, whatever carries it. */
interface ListenStream {
  readonly client: Client;
  say(message: Record<string, unknown>): void;
  /** Breaks what carries the stream. */
  cut(): void | Promise<void>;
  readonly request: () => JSONRPCRequest;
  /** What the client sent since, in short. */
  readonly sent: () => readonly string[];
  /** Whether the client has ended this stream. */
  readonly left: () => boolean;
}

async function connect(transport: Transport): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { clock, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  clients.push(client);
  await client.connect(transport);
  return client;
}

async function overHttp(): Promise<ListenStream> {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let asked: SentRequest | undefined;
  const server: ScriptedFetch = createScriptedFetch((request) => {
    if (request.rpc !== 'subscriptions/listen') return jsonResult(request, DISCOVERED);
    asked = request;
    const body = new ReadableStream<Uint8Array>({
      start: (given) => {
        controller = given;
        request.signal.addEventListener('abort', () => given.error(new DOMException('gone', 'AbortError')));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  const url = 'http://server.test/mcp';
  return {
    client: await connect(new StreamableHTTPClientTransport(url, { fetch: server.fetch, clock })),
    say: (message) =>
      controller?.enqueue(
        new TextEncoder().encode(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`),
      ),
    cut: () => controller?.close(),
    request: () => asked?.body as JSONRPCRequest,
    sent: () => server.lines().slice(2),
    left: () => asked?.signal.aborted === true,
  };
}

async function overPipe(): Promise<ListenStream> {
  const [ours, theirs] = createMemoryTransportPair();
  const received: JSONRPCMessage[] = [];
  theirs.onmessage = (message) => {
    received.push(message);
    if (isJSONRPCRequest(message) && message.method === 'server/discover') {
      void theirs.send({ jsonrpc: '2.0', id: message.id, result: DISCOVERED });
    }
  };
  await theirs.start();
  const request = (): JSONRPCRequest =>
    received.find(
      (message) => 'method' in message && message.method === 'subscriptions/listen',
    ) as JSONRPCRequest;
  const sent = (): string[] =>
    received.slice(2).map((message) => ('method' in message ? `POST ${message.method}` : 'answer'));
  return {
    client: await connect(ours),
    say: (message) => void theirs.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage),
    cut: () => theirs.close(),
    request,
    sent,
    left: () => sent().includes('POST notifications/cancelled'),
  };
}

const acknowledge = (stream: ListenStream, notifications: object): void =>
  stream.say({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications, _meta: { [ID]: stream.request().id } },
  });

describe.each([
  ['HTTP', overHttp],
  ['a pipe', overPipe],
])('a stream of change notices over %s', (name, open) => {
  const onPipe = name === 'a pipe';

  async function listening(): Promise<{
    stream: ListenStream;
    ended: Promise<SubscriptionEnd>;
    close: () => Promise<void>;
  }> {
    const stream = await open();
    const asking = stream.client.listen({ toolsListChanged: true, promptsListChanged: true });
    await clock.advance(0);
    acknowledge(stream, { toolsListChanged: true });
    const subscription = await asking;
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
    return { stream, ended: subscription.closed, close: () => subscription.close() };
  }

  it('W138 opens with the acknowledgement, feeds the handlers, and is ended by us', async () => {
    const { stream, ended, close } = await listening();
    expect(stream.request().params).toMatchObject({
      notifications: { toolsListChanged: true, promptsListChanged: true },
    });
    let changes = 0;
    stream.client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
    const params = { _meta: { [ID]: stream.request().id } };
    stream.say({ method: 'notifications/tools/list_changed', params });
    await clock.advance(0);
    expect(changes).toBe(1);
    await close();
    await close();
    expect(await ended).toBe('local');
    expect(stream.left()).toBe(true);
    await clock.advance(600_000);
    // Over HTTP the end of the stream says it all; nobody listens anew by himself.
    expect(stream.sent()).toEqual(onPipe ? ['POST notifications/cancelled'] : []);
  });

  it('W138 ends gracefully with the result and remotely with a cut, without being opened again', async () => {
    const graceful = await listening();
    graceful.stream.say({ id: graceful.stream.request().id, result: { resultType: 'complete' } });
    expect(await graceful.ended).toBe('graceful');

    const remote = await listening();
    await remote.stream.cut();
    expect(await remote.ended).toBe('remote');
    await clock.advance(600_000);
    expect(graceful.stream.sent()).toEqual([]);
    expect(remote.stream.sent()).toEqual([]);
    await remote.close();
    expect(await remote.ended).toBe('remote');
  });

  it('W138 may be taken back by the server, whichever of notice and result comes first', async () => {
    const { stream, ended } = await listening();
    const { id } = stream.request();
    stream.say({ method: 'notifications/cancelled', params: { requestId: id } });
    stream.say({ id, result: { resultType: 'complete' } });
    expect(await ended).toBe('graceful');
  });

  it('W138 times out without an acknowledgement and is left then', async () => {
    const stream = await open();
    const asking = stream.client.listen({ toolsListChanged: true }, { timeout: 5_000 });
    const outcome = asking.catch((error: unknown) => error);
    await clock.advance(4_999);
    expect(stream.left()).toBe(false);
    await clock.advance(1);
    expect(await outcome).toMatchObject({ code: 'REQUEST_TIMEOUT', data: { timeout: 5_000 } });
    await clock.advance(0);
    expect(stream.left()).toBe(true);
    // Too late: nobody waits for it any more.
    if (onPipe) acknowledge(stream, {});
    await clock.advance(0);
    expect(clock.armed).toBe(0);
  });

  it('W138 is aborted by its signal while it opens and while it is open', async () => {
    const opening = await open();
    const leave = new AbortController();
    const asking = opening.client.listen({ toolsListChanged: true }, { signal: leave.signal });
    const outcome = asking.catch((error: unknown) => error);
    await clock.advance(0);
    leave.abort();
    expect(await outcome).toMatchObject({ code: 'REQUEST_ABORTED' });
    await clock.advance(0);
    expect(opening.left()).toBe(true);

    const stream = await open();
    const later = new AbortController();
    const listen = stream.client.listen({ toolsListChanged: true }, { signal: later.signal });
    await clock.advance(0);
    acknowledge(stream, {});
    const { closed } = await listen;
    later.abort();
    expect(await closed).toBe('local');
    await clock.advance(0);
    expect(stream.left()).toBe(true);

    const before = stream.sent().length;
    const never = stream.client.listen({}, { signal: later.signal });
    await expect(never).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    expect(stream.sent()).toHaveLength(before);
  });

  it('W138 rejects when the server ends or refuses it before the acknowledgement', async () => {
    const ended = await open();
    const asking = ended.client.listen({ toolsListChanged: true }).catch((error: unknown) => error);
    await clock.advance(0);
    ended.say({ id: ended.request().id, result: { resultType: 'complete' } });
    expect(await asking).toMatchObject({ code: 'CONNECTION_CLOSED' });

    const refused = await open();
    const refusal = refused.client.listen({ toolsListChanged: true }).catch((error: unknown) => error);
    await clock.advance(0);
    refused.say({ id: refused.request().id, error: { code: -32_603, message: 'too many' } });
    expect(await refusal).toMatchObject({ name: 'ProtocolError', code: -32_603 });
  });
});
