import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { Client } from '../client.ts';
import { StreamableHTTPClientTransport } from '../http/transport.ts';
import { POOL_TIME_LIMITS, createHttpPool } from './http-pool.ts';

/** The clock by which undici measures silence. */
const undiciClock = createRequire(import.meta.url)('undici/lib/util/timers.js') as { tick(ms: number): void };
const SIX_MINUTES_MS = 360_000;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Message = { readonly id?: number; readonly method: string };

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'slow', version: '1' },
  },
  'server/discover': {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
  },
};

/** A server that answers everything but tool calls at once. */
async function serve(onCall: (message: Message, response: ServerResponse) => void): Promise<{
  readonly url: string;
  readonly methods: string[];
}> {
  const methods: string[] = [];
  const answer = (text: string, response: ServerResponse): void => {
    const message = JSON.parse(text) as Message;
    methods.push(message.method);
    if (message.method === 'tools/call') onCall(message, response);
    else if (message.id === undefined) response.writeHead(202).end();
    else {
      const result = RESULTS[message.method];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    }
  };
  const http = createServer((request: IncomingMessage, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => answer(text, response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return { url: `http://127.0.0.1:${String((http.address() as AddressInfo).port)}/mcp`, methods };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Lets undici believe that nothing came for six minutes; its timers look twice. */
async function sixMinutes(): Promise<void> {
  await turns();
  for (let look = 0; look < 3; look++) undiciClock.tick(SIX_MINUTES_MS);
  await turns();
}

const TEXT = (id: number | undefined): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } });

/** How an answer may be late. */
const LATE: Readonly<Record<string, (message: Message, response: ServerResponse) => Promise<void>>> = {
  headers: async ({ id }, response) => {
    await sixMinutes();
    response.writeHead(200, { 'content-type': 'application/json' }).end(TEXT(id));
  },
  'the body': async ({ id }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(TEXT(id).slice(0, 10));
    await sixMinutes();
    response.end(TEXT(id).slice(10));
  },
  'headers and body': async ({ id }, response) => {
    await sixMinutes();
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    await sixMinutes();
    response.end(TEXT(id));
  },
  'a stream': async ({ id }, response) => {
    await sixMinutes();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
    await sixMinutes();
    response.write(`data: ${TEXT(id)}\n\n`);
    await sixMinutes();
    response.end();
  },
};

async function connect(url: string, era: 'legacy' | 'modern'): Promise<Client> {
  const clock = createManualClock();
  const client = new Client(
    { name: 'test', version: '1' },
    { clock, versionNegotiation: { mode: era === 'legacy' ? era : { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(url, { clock, http: createHttpPool({ clock }) }));
  cleanUps.push(() => client.close());
  return client;
}

describe.each(['legacy', 'modern'] as const)(
  'a server that is silent for six minutes, in the %s era',
  (era) => {
    it.each(Object.keys(LATE))('W63 is waited for as long as the call may take: %s', async (what) => {
      const faults: unknown[] = [];
      const { url } = await serve((message, response) => {
        LATE[what]?.(message, response).catch((error: unknown) => faults.push(error));
      });
      const client = await connect(url, era);
      const result = await client.callTool({ name: 'x' }, { timeout: 1_200_000 });
      expect(result).toMatchObject({ content: [] });
      expect(faults).toEqual([]);
    });
  },
);

describe('the limits of the pool', () => {
  it('W63 are off, where undici by itself would end the exchange', async () => {
    expect(POOL_TIME_LIMITS).toEqual({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 } });
    const { url } = await serve(() => undefined);
    const pool = new Pool(new URL(url).origin);
    cleanUps.push(() => pool.destroy());
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
    const outcome = pool.request({ path: '/mcp', method: 'POST', body }).then(
      () => 'answered',
      (error: { code?: string }) => error.code,
    );
    await sixMinutes();
    expect(await outcome).toBe('UND_ERR_HEADERS_TIMEOUT');
  });
});
