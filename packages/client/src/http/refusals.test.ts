import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openHttpPeer } from '../../../../testing/http-peer.ts';
import type { HttpPeer } from '../../../../testing/http-peer.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { eventStream, jsonResult } from '../../../../testing/scripted-fetch.ts';
import type { FetchScript, SentRequest } from '../../../../testing/scripted-fetch.ts';
import { Client } from '../client.ts';
import { createHttpPool } from '../node/http-pool.ts';
import { StreamableHTTPClientTransport } from './transport.ts';

const clock = createManualClock();
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function open(era: 'legacy' | 'modern', onCall: FetchScript, how = {}): Promise<HttpPeer> {
  const peer = await openHttpPeer(
    era,
    (request, index) =>
      request.method === 'GET' ? new Response(null, { status: 405 }) : onCall(request, index),
    { clock, ...how },
  );
  cleanUps.push(() => peer.client.close());
  return peer;
}

const OK = { resultType: 'complete', content: [{ type: 'text', text: 'x' }] };
const call = (peer: HttpPeer): Promise<unknown> =>
  peer.client.callTool({ name: 'x' }).catch((error: unknown) => error);

/** What a server may put into the body of a refusal, with how a modern call takes it. */
const BODIES: readonly (readonly [string, (request: SentRequest) => string, number | undefined])[] = [
  ['no body', () => '', undefined],
  ['a page', () => '<h1>no</h1>', undefined],
  ['JSON that is no message', () => '{"error":"no"}', undefined],
  ['a result', ({ body }) => JSON.stringify({ jsonrpc: '2.0', id: body?.id, result: {} }), undefined],
  ['an error for this call', ({ body }) => error(-32_601, body?.id), -32_601],
  ['an error for another call', () => error(-32_601, 'other'), undefined],
  ['an error without id', () => error(-32_000), undefined],
  ['a modern error without id', () => error(-32_020), -32_020],
];

const error = (code: number, id?: unknown): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    error: { code, message: 'no', data: { a: 1 } },
  });

const CODES: Readonly<Record<number, string>> = {
  401: 'CLIENT_HTTP_AUTHENTICATION',
  403: 'CLIENT_HTTP_FORBIDDEN',
};

describe.each(['legacy', 'modern'] as const)('a refusal in the %s era', (era) => {
  it.each([400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 502, 503])(
    'W131 with status %i',
    async (status) => {
      for (const [name, body, code] of BODIES) {
        const statusText = 'So Sorry';
        const headers = { 'www-authenticate': 'Bearer x="1"' };
        const peer = await open(
          era,
          (request) => new Response(body(request), { status, statusText, headers }),
        );
        const unwrapped = era === 'modern' && status < 500 && status !== 401 && status !== 403;
        const answer = { name: 'ProtocolError', code, data: { a: 1 } };
        const refusal = {
          name: 'SdkHttpError',
          code: CODES[status] ?? 'CLIENT_HTTP_NOT_IMPLEMENTED',
          status,
          statusText,
          data: { status, statusText, challenge: 'Bearer x="1"' },
        };
        expect(await call(peer), name).toMatchObject(unwrapped && code !== undefined ? answer : refusal);
      }
    },
  );

  it('W131 tells the original error of a body that is no JSON or breaks off', async () => {
    const json = { headers: { 'content-type': 'application/json' } };
    const malformed = await open(era, () => new Response('{"jsonrpc":', json));
    const failure = await call(malformed);
    expect(failure).toMatchObject({ code: 'INVALID_MESSAGE' });
    expect((failure as Error).cause).toBeInstanceOf(SyntaxError);

    const reset = new TypeError('terminated');
    const cut = (type: string): Response => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"json')),
        pull: (controller) => controller.error(reset),
      });
      return new Response(body, { headers: { 'content-type': type } });
    };
    for (const type of ['application/json', 'text/event-stream']) {
      const peer = await open(era, () => cut(type));
      expect(await call(peer)).toMatchObject({ code: 'CONNECTION_CLOSED', cause: reset });
    }
  });

  it('W122 takes JSON and event streams alike, many at once, each answer for its caller', async () => {
    const waiting: (() => void)[] = [];
    const peer = await open(era, async (request) => {
      const n = (request.body as { params?: { arguments?: { n?: number } } }).params?.arguments?.n ?? 0;
      await new Promise<void>((resolve) => waiting.push(resolve));
      const result = { ...OK, content: [{ type: 'text', text: String(n) }] };
      if (n % 2 === 0) return jsonResult(request, result);
      return eventStream(`data: ${JSON.stringify({ jsonrpc: '2.0', id: request.body?.id, result })}\n\n`);
    });
    const calls = Array.from({ length: 20 }, (_, n) => peer.client.callTool({ name: 'x', arguments: { n } }));
    await clock.advance(0);
    for (const go of waiting.reverse()) go();
    const results = await Promise.all(calls);
    expect(results.map(({ content }) => content)).toEqual(
      Array.from({ length: 20 }, (_, n) => [{ type: 'text', text: String(n) }]),
    );
    expect(peer.errors).toEqual([]);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', ' application/json ;x=y'])(
    'W122 takes an answer of type %s',
    async (type) => {
      const peer = await open(era, (request) => {
        const text = JSON.stringify({ jsonrpc: '2.0', id: request.body?.id, result: OK });
        return new Response(text, { headers: { 'content-type': type } });
      });
      expect(await call(peer)).toMatchObject({ content: OK.content });
    },
  );

  it.each(['text/plain', 'text/html; charset=utf-8', 'application/jsonp', ''])(
    'W122 rejects a call whose answer is of type "%s"',
    async (type) => {
      const peer = await open(era, () => {
        const response = new Response('hi', type === '' ? {} : { headers: { 'content-type': type } });
        if (type === '') response.headers.delete('content-type');
        return response;
      });
      const contentType = type.split(';')[0];
      expect(await call(peer)).toMatchObject({
        code: 'CLIENT_HTTP_UNEXPECTED_CONTENT',
        data: { contentType },
      });
    },
  );
});

describe('notifications', () => {
  it.each([
    ['202 as it should be', () => new Response(null, { status: 202 })],
    [
      '202 with text',
      () => new Response('Accepted', { status: 202, headers: { 'content-type': 'text/plain' } }),
    ],
    ['200 without content', () => new Response(null, { status: 200 })],
    ['204', () => new Response(null, { status: 204 })],
    ['200 with null', () => Response.json(null)],
    ['200 with broken JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['200 with a stream', () => eventStream(': hi\n\n')],
  ])('W122 are taken by any success: %s', async (_name, respond) => {
    const peer = await open('legacy', respond);
    await peer.client.notification({ method: 'notifications/roots/list_changed' }).catch(() => undefined);
    await peer.transport.send({ jsonrpc: '2.0', method: 'notifications/any' });
    expect(peer.errors).toEqual([]);
  });

  it('are refused by anything else', async () => {
    const peer = await open('legacy', () => new Response(null, { status: 500 }));
    const sending = peer.transport.send({ jsonrpc: '2.0', method: 'notifications/any' });
    await expect(sending).rejects.toMatchObject({ status: 500 });
  });
});

describe('a socket that is reset in the middle of an answer', () => {
  it.each([
    ['fetch', () => ({})],
    ['a pool', () => ({ http: createHttpPool() })],
  ])('W131 is told with the original error over %s', async (_name, how) => {
    const http = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      request.on('end', () => {
        const { id, method } = JSON.parse(text) as { id: number; method: string };
        const result = {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
        };
        const whole = JSON.stringify({ jsonrpc: '2.0', id, result });
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
        if (method === 'server/discover') response.end(whole);
        else response.write(whole.slice(0, 20), () => response.socket?.resetAndDestroy());
      });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => new Promise((resolve) => http.close(resolve)));
    const { port } = http.address() as AddressInfo;
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    cleanUps.push(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(`http://127.0.0.1:${String(port)}/`, how()));
    const failure = await client.callTool({ name: 'x' }).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect((failure as Error).cause).toBeInstanceOf(Error);
  });
});
