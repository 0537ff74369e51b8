import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import type { JSONRPCMessage } from '@portico/rpc';
import { z } from 'zod';
import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createScriptedFetch, eventStream, jsonError } from '../../../../testing/scripted-fetch.ts';
import type { SentRequest } from '../../../../testing/scripted-fetch.ts';
import { Client } from '../client.ts';
import { failureOf } from '../failure.ts';
import { createHttpPool } from '../node/http-pool.ts';
import { SSEClientTransport, mayNeedSseTransport } from './sse-transport.ts';
import type { SSEClientTransportOptions } from './sse-transport.ts';
import { StreamableHTTPClientTransport } from './transport.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** An official server of revision 2024-11-05: streams at /sse, nothing else there. */
async function oldServer(): Promise<URL> {
  const streams = new Map<string, SSEServerTransport>();
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      streams.set(transport.sessionId, transport);
      const server = new McpServer({ name: 'old', version: '1' });
      server.registerTool('echo', { inputSchema: { text: z.string() } }, async ({ text }, extra) => {
        const progressToken = extra._meta?.progressToken ?? 'none';
        const params = { progressToken, progress: 1 };
        await extra.sendNotification({ method: 'notifications/progress', params });
        return { content: [{ type: 'text', text }] };
      });
      void server.connect(transport);
      return;
    }
    const stream = streams.get(url.searchParams.get('sessionId') ?? '');
    if (request.method === 'POST' && stream !== undefined) void stream.handlePostMessage(request, response);
    else response.writeHead(404).end('nothing here');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`);
}

const client = (): Client => {
  const made = new Client({ name: 'test', version: '1' });
  cleanUps.push(() => made.close());
  return made;
};

describe('servers of revision 2024-11-05', () => {
  it('work through the older transport after the newer one was refused', async () => {
    const url = await oldServer();
    const failure: unknown = await client()
      .connect(new StreamableHTTPClientTransport(url))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 404 });
    expect(mayNeedSseTransport(failure)).toBe(true);
    for (const options of [{}, { http: createHttpPool() }]) {
      const ours = client();
      await ours.connect(new SSEClientTransport(url, options));
      const seen: number[] = [];
      const result = await ours.callTool(
        { name: 'echo', arguments: { text: 'grüße 🎉' } },
        { onprogress: ({ progress }) => seen.push(progress) },
      );
      expect(result.content).toEqual([{ type: 'text', text: 'grüße 🎉' }]);
      expect(seen).toEqual([1]);
    }
  });

  it('are looked for only after the refusals that such servers give', async () => {
    for (const [status, expected] of [
      [400, true],
      [404, true],
      [405, true],
      [401, false],
      [403, false],
      [500, false],
    ] as const) {
      const { fetch } = createScriptedFetch(() => new Response(null, { status }));
      const transport = new StreamableHTTPClientTransport('http://server.test/', { fetch });
      const failure: unknown = await client()
        .connect(transport)
        .catch((error: unknown) => error);
      expect(mayNeedSseTransport(failure)).toBe(expected);
    }
    // A modern refusal shows a modern server.
    const { fetch } = createScriptedFetch((request) => jsonError(400, { code: -32_022 }, request.body?.id));
    const modern = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const failure: unknown = await modern
      .connect(new StreamableHTTPClientTransport('http://server.test/', { fetch }))
      .catch((error: unknown) => error);
    expect(mayNeedSseTransport(failure)).toBe(false);
  });
});

/** A stream whose text the test writes. */
function openStream(request: SentRequest): { response: Response; write(text: string): void; end(): void } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
      request.signal.addEventListener('abort', () => given.error(new DOMException('gone', 'AbortError')));
    },
  });
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    write: (text) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
  };
}

interface Opened {
  readonly transport: SSEClientTransport;
  readonly starting: Promise<unknown>;
  readonly stream: () => ReturnType<typeof openStream>;
  readonly server: ReturnType<typeof createScriptedFetch>;
  readonly messages: JSONRPCMessage[];
  readonly errors: Error[];
  readonly closes: () => number;
}

const clock = createManualClock();

function open(options: SSEClientTransportOptions = {}, post = 202): Opened {
  let stream: ReturnType<typeof openStream> | undefined;
  const server = createScriptedFetch((request) => {
    if (request.method === 'POST') return new Response('why', { status: post });
    stream = openStream(request);
    return stream.response;
  });
  const transport = new SSEClientTransport('http://server.test/sse?a=1', {
    fetch: server.fetch,
    clock,
    ...options,
  });
  const messages: JSONRPCMessage[] = [];
  const errors: Error[] = [];
  let closes = 0;
  transport.onmessage = (message) => messages.push(message);
  transport.onerror = (error) => errors.push(error);
  transport.onclose = () => (closes += 1);
  const starting = transport.start().catch((error: unknown) => error);
  return {
    transport,
    starting,
    server,
    messages,
    errors,
    closes: () => closes,
    stream: () => stream as ReturnType<typeof openStream>,
  };
}

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;

describe('the transport of revision 2024-11-05', () => {
  it('waits for the address and sends headers and version with everything', async () => {
    const opened = open({ requestInit: { headers: { authorization: 'Bearer t' } } });
    await expect(opened.transport.send(PING)).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
    await clock.advance(0);
    opened.stream().write('event: endpoint\ndata: /post?session=7\n\n');
    await opened.starting;
    opened.transport.setProtocolVersion('2024-11-05');
    await opened.transport.send(PING, { headers: { authorization: 'Bearer other', 'x-own': '1' } });
    const [get, post] = opened.server.log;
    expect(get?.headers.get('accept')).toBe('text/event-stream');
    expect(get?.headers.get('authorization')).toBe('Bearer t');
    expect(post?.headers.get('authorization')).toBe('Bearer t');
    expect(post?.headers.get('x-own')).toBe('1');
    expect(post?.headers.get('content-type')).toBe('application/json');
    expect(post?.headers.get('mcp-protocol-version')).toBe('2024-11-05');
    opened
      .stream()
      .write(`data: {broken\n\n: hi\n\nevent: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n`);
    await clock.advance(0);
    expect(opened.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    expect(opened.errors).toMatchObject([{ code: 'INVALID_MESSAGE' }]);
    await opened.transport.close();
    expect(opened.server.log[0]?.signal.aborted).toBe(true);
    expect(opened.closes()).toBe(1);
    await expect(opened.transport.send(PING)).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
  });

  it('opens its stream by a fetch of its own where one is given, and posts by the other', async () => {
    const inits: RequestInit[] = [];
    const opened = open({
      requestInit: { headers: { 'x-all': '1' } },
      eventSourceInit: {
        withCredentials: true,
        fetch: async (url, init) => {
          inits.push(init);
          await Promise.resolve();
          const headers = new Headers(init.headers);
          headers.set('authorization', 'Bearer stream');
          return opened.server.fetch(url, { ...init, headers });
        },
      },
    });
    await clock.advance(0);
    opened.stream().write('event: endpoint\ndata: /post\n\n');
    await opened.starting;
    await opened.transport.send(PING);
    const seen = opened.server.log.map(({ method, headers }) => [
      method,
      headers.get('authorization'),
      headers.get('x-all'),
    ]);
    expect(seen).toEqual([
      ['GET', 'Bearer stream', '1'],
      ['POST', null, '1'],
    ]);
    expect(inits).toMatchObject([{ credentials: 'include' }]);
    await opened.transport.close();
  });

  it.each([
    'https://server.test/x',
    'http://evil.test/x',
    '//evil.test/x',
    'http://a:b@server.test/x',
    'http://[',
  ])('refuses to post to %s', async (place) => {
    const opened = open();
    await clock.advance(0);
    opened.stream().write(`event: endpoint\ndata: ${place}\n\n`);
    expect(await opened.starting).toMatchObject({ code: 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM' });
    expect(opened.closes()).toBe(1);
    expect(opened.server.lines()).toEqual(['GET -']);
    expect(opened.server.log[0]?.signal.aborted).toBe(true);
  });

  it('names the status of a refused stream, and says what else went wrong', async () => {
    const { fetch } = createScriptedFetch(() => new Response(null, { status: 401 }));
    const refused = open({ fetch });
    const error = await refused.starting;
    expect(error).toMatchObject({ name: 'SseError', code: 401 });
    expect(failureOf(error)).toMatchObject({ step: 'sign_in', httpStatus: 401 });
    const connecting = client().connect(new SSEClientTransport('http://server.test/', { fetch }));
    await expect(connecting).rejects.toMatchObject({ name: 'SseError', code: 401 });

    const page = createScriptedFetch(() => new Response('hi', { headers: { 'content-type': 'text/html' } }));
    expect(await open({ fetch: page.fetch }).starting).toMatchObject({
      code: 'CLIENT_HTTP_UNEXPECTED_CONTENT',
      data: { contentType: 'text/html' },
    });
    const ended = createScriptedFetch(() => eventStream(': nothing\n\n'));
    expect(await open({ fetch: ended.fetch }).starting).toMatchObject({
      code: 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM',
    });
    const broken = createScriptedFetch(() => Promise.reject(new TypeError('fetch failed')));
    expect(await open({ fetch: broken.fetch }).starting).toMatchObject({ code: 'CLIENT_HTTP_NETWORK' });
  });

  it('gives up when the address does not come in time', async () => {
    const opened = open({ startTimeoutMs: 5_000 });
    await clock.advance(5_000);
    expect(await opened.starting).toMatchObject({ code: 'REQUEST_TIMEOUT', data: { timeout: 5_000 } });
    expect(opened.server.log[0]?.signal.aborted).toBe(true);
  });

  it('ends with its stream and fails messages that are refused', async () => {
    const opened = open({}, 403);
    await clock.advance(0);
    opened.stream().write('event: endpoint\ndata: post\n\n');
    await opened.starting;
    await expect(opened.transport.send(PING)).rejects.toMatchObject({
      code: 'CLIENT_HTTP_FORBIDDEN',
      status: 403,
    });
    opened.stream().end();
    await clock.advance(0);
    expect(opened.errors).toMatchObject([{ code: 'CONNECTION_CLOSED' }]);
    expect(opened.closes()).toBe(1);
    await expect(opened.transport.start()).rejects.toMatchObject({ code: 'ALREADY_CONNECTED' });
  });
});
