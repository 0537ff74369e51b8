import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { ExchangeScope } from '@portico/rpc';
import { createFetchClient } from '../http/fetch-client.ts';
import { StreamableHTTPClientTransport } from '../http/transport.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { startProgram } from '../../../../testing/processes.ts';
import { createHttpPool } from './http-pool.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function listen(listener: RequestListener): Promise<URL> {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return new URL(`http://127.0.0.1:${String((http.address() as AddressInfo).port)}/mcp`);
}

async function connect(url: URL, http = createHttpPool(), clock: Clock = systemClock): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' }, clock });
  await client.connect(new StreamableHTTPClientTransport(url, { http }));
  cleanUps.push(() => client.close());
  return client;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const HTTP = [
  ['a pool', () => createHttpPool()],
  ['fetch', () => createFetchClient((url, init) => globalThis.fetch(url, init), {})],
] as const;

/** A modern server by hand: it answers the probe, and `onCall` answers every call. */
function modernServer(
  onCall: (message: { id: number; name: string }, response: ServerResponse) => void,
): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body) as {
        id: number;
        method: string;
        params: { name?: string };
      };
      if (method === 'tools/call') {
        onCall({ id, name: params.name ?? '' }, response);
        return;
      }
      const result = {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  };
}

const answer = (id: number, response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } }));
};

describe.each(HTTP)('over %s', (_name, make) => {
  it('W65 the server sees that a modern call was given up, before and in its answer, and no cancel', async () => {
    const left: string[] = [];
    const methods: string[] = [];
    let begun = 0;
    const serve = modernServer(({ id, name }, response) => {
      if (name === 'other') {
        answer(id, response);
        return;
      }
      response.on('close', () => left.push(name));
      begun += 1;
      if (name === 'streaming') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': open\n\n');
      }
    });
    const url = await listen((request, response) => {
      methods.push(String(request.headers['mcp-method']));
      serve(request, response);
    });
    const clock = createManualClock();
    const client = await connect(url, make(), clock);
    const leave = new AbortController();
    const calls = ['silent', 'streaming'].map((name) => client.callTool({ name }, { signal: leave.signal }));
    const slow = client.callTool({ name: 'slow' }, { timeout: 50 });
    const outcomes = Promise.allSettled([...calls, slow]);
    while (begun < 3) await turn();
    await clock.advance(50);
    await client.callTool({ name: 'other' });
    leave.abort();
    expect(await outcomes).toMatchObject([
      { reason: { code: 'REQUEST_ABORTED' } },
      { reason: { code: 'REQUEST_ABORTED' } },
      { reason: { code: 'REQUEST_TIMEOUT' } },
    ]);
    while (left.length < 3) await turn();
    await client.callTool({ name: 'other' });
    expect(left.sort()).toEqual(['silent', 'slow', 'streaming']);
    expect(new Set(methods)).toEqual(new Set(['server/discover', 'tools/call']));
  });

  const LIMIT_BYTES = 64 * 1024 * 1024;

  it.each([
    ['text/event-stream', 'data: '],
    ['application/json', '{"jsonrpc":"'],
  ])('W252 an endless %s ends its call at 64 MiB, and only that', async (type, head) => {
    let written = 0;
    let closed = false;
    const piece = Buffer.alloc(256 * 1024, 0x78);
    const url = await listen(
      modernServer(({ id, name }, response) => {
        if (name === 'other') {
          answer(id, response);
          return;
        }
        response.on('close', () => (closed = true));
        response.writeHead(200, { 'content-type': type });
        response.write(head);
        const write = (): void => {
          while (!closed && written < 8 * LIMIT_BYTES) {
            written += piece.length;
            if (!response.write(piece)) {
              response.once('drain', write);
              return;
            }
          }
        };
        write();
      }),
    );
    const client = await connect(url, make());
    const before = process.memoryUsage().arrayBuffers;
    const endless = client.callTool({ name: 'endless' }).catch((error: unknown) => error);
    await client.callTool({ name: 'other' });
    expect(await endless).toMatchObject({ code: 'MESSAGE_TOO_LARGE', data: { limitBytes: LIMIT_BYTES } });
    while (!closed) await turn();
    expect(written).toBeGreaterThan(LIMIT_BYTES - piece.length);
    // Beyond the limit only what was under way in sockets and streams.
    expect(written).toBeLessThan(LIMIT_BYTES + 24 * 1024 * 1024);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(3 * LIMIT_BYTES);
    await client.callTool({ name: 'other' });
  });
});

describe('an idle pool', () => {
  it('keeps a process neither alive nor from its end', async () => {
    // In a process of its own, so that only the client's sockets are counted here.
    const program = startProgram([
      '--eval',
      `require('node:http').createServer((request, response) => response.end('ok'))
         .listen(0, '127.0.0.1', function () { console.log('port', this.address().port); });`,
    ]);
    cleanUps.push(async () => {
      program.child.kill('SIGKILL');
      await program.ended;
    });
    const [, port = ''] = await program.waitFor(/port (\d+)/);
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
    const before = sockets();
    const pool = createHttpPool();
    cleanUps.push(() => pool.close());
    const url = new URL(`http://127.0.0.1:${port}/`);
    const ask = async (): Promise<string> => {
      const request = { url, method: 'GET', headers: {}, scope: new ExchangeScope() } as const;
      const answered = await pool.send(request);
      expect(sockets()).toBeLessThanOrEqual(before + 1);
      return answered.text(10);
    };
    expect(await ask()).toBe('ok');
    await turn();
    expect(sockets()).toBe(before);
    // The connection is still there, and is used.
    expect(await ask()).toBe('ok');
  });
});
