import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ExchangeScope } from '@portico/rpc';
import type { HttpAnswer, HttpClient } from '../http/http-client.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createHttpPool } from './http-pool.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface Served {
  readonly url: URL;
  readonly server: Server;
  /** Connections that were ever made. */
  readonly connections: () => number;
}

async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Served> {
  let made = 0;
  const server = createServer(listener).on('connection', () => (made += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/mcp?x=1`), server, connections: () => made };
}

function openPool(options: Parameters<typeof createHttpPool>[0] = {}): HttpClient {
  const pool = createHttpPool(options);
  cleanUps.push(() => pool.close());
  return pool;
}

const get = (pool: HttpClient, url: URL, scope = new ExchangeScope()): Promise<HttpAnswer> =>
  pool.send({ url, method: 'GET', headers: {}, scope });

describe('a pool of connections', () => {
  it('sends path, headers and body as they are and reads the answer', async () => {
    const { url } = await serve((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        response.writeHead(201, 'Fine', { 'www-authenticate': ['a', 'b'], 'x-one': '1' });
        response.end(JSON.stringify({ path: request.url, headers: request.headers, body }));
      });
    });
    const pool = openPool();
    const answer = await pool.send({
      url,
      method: 'POST',
      headers: { 'x-own': 'u', accept: 'a/b' },
      body: '{"grüße":"🎉"}',
      scope: new ExchangeScope(),
    });
    expect(answer).toMatchObject({ status: 201, statusText: 'Fine' });
    expect(answer.header('www-authenticate')).toBe('a, b');
    expect(answer.header('x-one')).toBe('1');
    expect(answer.header('x-none')).toBeUndefined();
    expect(JSON.parse(await answer.text(1_000))).toMatchObject({
      path: '/mcp?x=1',
      headers: { 'x-own': 'u', accept: 'a/b', 'user-agent': 'portico', 'accept-encoding': 'identity' },
      body: '{"grüße":"🎉"}',
    });
  });

  it('keeps a connection for the next exchange, also when nobody read the body', async () => {
    const { url, connections } = await serve((_request, response) => response.end('x'.repeat(40_000)));
    const pool = openPool();
    for (let round = 0; round < 5; round++) (await get(pool, url)).discard();
    expect((await (await get(pool, url)).text(50_000)).length).toBe(40_000);
    expect(connections()).toBeLessThanOrEqual(2);
  });

  it('opens no more connections than it may, and lets urgent messages pass the queue', async () => {
    const held: ServerResponse[] = [];
    const { url, connections } = await serve((request, response) => {
      if (request.method === 'GET') held.push(response);
      else response.end('told');
    });
    const pool = openPool({ connections: 3 });
    const waiting = Array.from({ length: 10 }, () => get(pool, url));
    const urgent = { url, method: 'POST', headers: {}, body: 'x', urgent: true } as const;
    const told = await pool.send({ ...urgent, scope: new ExchangeScope() });
    expect(await told.text(100)).toBe('told');
    expect(connections()).toBe(4);
    for (let answered = 0; answered < 10;) {
      const response = held.shift();
      if (response === undefined) await new Promise((resolve) => setImmediate(resolve));
      else answered += response.end('late') === undefined ? 0 : 1;
    }
    for (const answer of await Promise.all(waiting)) expect(await answer.text(10)).toBe('late');
    expect(connections()).toBe(4);
  });

  it('ends an exchange when nobody waits any more: queued, unanswered and half read', async () => {
    let closed = 0;
    const { url } = await serve((request, response) => {
      response.on('close', () => (closed += 1));
      if (request.headers['x-part'] !== undefined) response.write('part');
    });
    const pool = openPool({ connections: 2 });
    const [silent, half, queued] = [new ExchangeScope(), new ExchangeScope(), new ExchangeScope()];
    const unanswered = get(pool, url, silent);
    const request = { url, method: 'GET', headers: { 'x-part': '1' }, scope: half } as const;
    const begun = await pool.send(request);
    const never = get(pool, url, queued);
    queued.abort();
    await expect(never).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    const reading = begun.text(1_000);
    half.abort();
    await expect(reading).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    silent.abort();
    await expect(unanswered).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    while (closed < 2) await new Promise((resolve) => setImmediate(resolve));
    // Its scope had ended before: not even asked.
    await expect(get(pool, url, queued)).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
  });

  it('gives up draining a body that goes on, by size and by time', async () => {
    const endless: ServerResponse[] = [];
    let closed = 0;
    const { url } = await serve((request, response) => {
      response.on('close', () => (closed += 1));
      response.write('begun');
      if (request.headers['x-flood'] === undefined) endless.push(response);
      else for (let piece = 0; piece < 40; piece++) response.write('y'.repeat(10_000));
    });
    const clock = createManualClock();
    const pool = openPool({ clock });
    (await get(pool, url)).discard();
    await clock.advance(999);
    expect(closed).toBe(0);
    await clock.advance(1);
    while (closed < 1) await new Promise((resolve) => setImmediate(resolve));
    const flood = { url, method: 'GET', headers: { 'x-flood': '1' } } as const;
    (await pool.send({ ...flood, scope: new ExchangeScope() })).discard();
    while (closed < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(clock.armed).toBe(0);
  });

  it('reads a body piece by piece, waits while nobody reads, and stops where it is told', async () => {
    let written = 0;
    const { url } = await serve((_request, response) => {
      const write = (): void => {
        for (; written < 2_000; written++) {
          if (!response.write('z'.repeat(10_000))) {
            written += 1;
            response.once('drain', write);
            return;
          }
        }
        response.end();
      };
      write();
    });
    const pool = openPool();
    const answer = await get(pool, url);
    // The socket takes what its buffers hold and no more: 20 MB are never read ahead.
    let before = -1;
    while (before !== written) {
      before = written;
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBeLessThan(1_500);
    let bytes = 0;
    await answer.chunks((chunk) => (bytes += chunk.byteLength) > 15_000_000);
    expect(bytes).toBeGreaterThan(15_000_000);
    expect(bytes).toBeLessThan(16_000_000);
  });

  it('tells what is wrong with a body: too large, no UTF-8, broken off', async () => {
    const { url } = await serve((request, response) => {
      switch (String(request.headers['x-kind'])) {
        case 'large':
          response.end('12345678901');
          return;
        case 'bytes':
          response.end(Buffer.from([0x22, 0xb0, 0x22]));
          return;
        case 'mark':
          response.end('\uFEFF{}');
          return;
        default:
          response.writeHead(200, { 'content-length': '100' });
          response.write('half');
          setImmediate(() => response.destroy());
      }
    });
    const pool = openPool();
    const read = async (kind: string): Promise<string> => {
      const headers = { 'x-kind': kind };
      const answer = await pool.send({ url, method: 'GET', headers, scope: new ExchangeScope() });
      return answer.text(10);
    };
    await expect(read('large')).rejects.toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      data: { limitBytes: 10 },
    });
    await expect(read('bytes')).rejects.toMatchObject({ code: 'INVALID_MESSAGE' });
    expect(await read('mark')).toBe('{}');
    await expect(read('cut')).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });

  it('refuses addresses with passwords, bad headers, and everything after its end', async () => {
    const { url } = await serve((_request, response) => response.end());
    const pool = openPool();
    await expect(get(pool, new URL('http://a:b@127.0.0.1/'))).rejects.toMatchObject({ code: 'SEND_FAILED' });
    const headers = { 'x-bad': 'a\r\nb: c' };
    const bad = pool.send({ url, method: 'GET', headers, scope: new ExchangeScope() });
    await expect(bad).rejects.toMatchObject({ code: 'UND_ERR_INVALID_ARG' });
    await pool.close();
    await expect(get(pool, url)).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
  });
});
