import { type IncomingMessage, type Server, createServer, request as httpRequest } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { McpServer, type McpHttpHandler, createMcpHandler } from '@portico/server';
import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { authInfoFor } from '../../../../testing/auth-info.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { type NodeMcpRequestHandler, type ToNodeHandlerOptions, toNodeHandler } from './http.ts';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function listen(server: Server): Promise<number> {
  open.push(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Made {
  readonly handler: McpHttpHandler;
  readonly started: Promise<void>;
  readonly stopped: Promise<void>;
  /** Messages that the tool `much` has handed over, whether or not they have left. */
  sent: number;
}

const MESSAGES = 400;
const MESSAGE_CHARS = 64_000;

function make(): Made {
  const server = new McpServer({ name: 'node', version: '1' });
  let stop = (): void => undefined;
  let start = (): void => undefined;
  const made: Made = {
    handler: createMcpHandler(server, { keepAliveMs: 0, maxBodyBytes: 5000 }),
    stopped: new Promise<void>((resolve) => (stop = resolve)),
    started: new Promise<void>((resolve) => (start = resolve)),
    sent: 0,
  };
  server.registerTool('look', {}, ({ http }) => {
    const { method, url = '', headers } = http?.req ?? {};
    const seen = [method, new URL(url).pathname, headers?.get('x-own'), headers?.get('host'), http?.authInfo];
    return { content: [{ type: 'text', text: JSON.stringify(seen) }] };
  });
  server.registerTool('wait', {}, async ({ mcpReq }) => {
    mcpReq.signal.addEventListener('abort', () => stop(), { once: true });
    start();
    await made.stopped;
    return { content: [] };
  });
  server.registerTool('much', {}, async ({ mcpReq }) => {
    for (; made.sent < MESSAGES; made.sent++) {
      const params = { data: 'x'.repeat(MESSAGE_CHARS) };
      await mcpReq.notify({ method: 'notifications/vendor', params });
    }
    return { content: [] };
  });
  return made;
}

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
};

const bodyOf = (name: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: modern({ name }) });

const call = (port: number, name: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${String(port)}/mcp?q=1`, {
    method: 'POST',
    headers: { ...HEADERS, 'mcp-name': name, 'x-own': 'own' },
    body: bodyOf(name),
    ...init,
  });

/** What `look` saw, from its answer. */
async function seenBy(answer: Promise<Response>): Promise<unknown> {
  const { result } = (await (await answer).json()) as { result: { content: [{ text: string }] } };
  return JSON.parse(result.content[0].text);
}

/** Posts over node:http and hands over the answer unread. */
function postUnread(port: number, name: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { ...HEADERS, 'mcp-name': name };
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers, agent: false }, resolve);
    request.on('error', reject);
    request.end(bodyOf(name));
  });
}

/** Lets everything that is ready run, until `read` has stayed the same for many turns. */
async function untilStill(read: () => number): Promise<number> {
  for (let last = -1, same = 0; same < 500;) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    same = read() === last ? same + 1 : 0;
    last = read();
  }
  return read();
}

type Bind = (handler: McpHttpHandler, options?: ToNodeHandlerOptions) => NodeMcpRequestHandler;

const FACES: readonly (readonly [string, Bind])[] = [
  ['the handler itself', (handler, options) => toNodeHandler(handler, options)],
  ['any fetch handler', (handler, options) => toNodeHandler({ fetch: handler.fetch }, options)],
];

describe.each(FACES)('node:http over %s', (_name, bind) => {
  const serve = (made: Made, options: ToNodeHandlerOptions = {}): Promise<number> => {
    const handle = bind(made.handler, { maxRequestBodySize: 5000, ...options });
    return listen(createServer((request, response) => void handle(request, response)));
  };

  it('W234 shows handlers the request and what the gate attached', async () => {
    const handle = bind(make().handler);
    const port = await listen(
      createServer((request, response) => {
        void handle(Object.assign(request, { auth: authInfoFor('t') }), response);
      }),
    );
    expect(await seenBy(call(port, 'look'))).toEqual([
      'POST',
      '/mcp',
      'own',
      `127.0.0.1:${String(port)}`,
      JSON.parse(JSON.stringify(authInfoFor('t'))),
    ]);
  });

  it('W234 takes a body that somebody has parsed, as third argument and on the request', async () => {
    const handle = bind(make().handler);
    const given = await listen(
      createServer((request, response) => {
        request.resume();
        void handle(request, response, JSON.parse(bodyOf('look')));
      }),
    );
    expect(await seenBy(call(given, 'look', { body: 'ignored' }))).toContain('/mcp');
    const app = express().use(express.json(), handle);
    const attached = await listen(createServer(app));
    expect(await seenBy(call(attached, 'look'))).toContain('/mcp');
  });

  it('W234 takes no function for a body', async () => {
    const handle = bind(make().handler);
    const port = await listen(
      createServer((request, response) => void handle(request, response, () => undefined)),
    );
    expect(await seenBy(call(port, 'look'))).toContain('/mcp');
  });

  it('W234 aborts a call whose client is gone', async () => {
    const made = make();
    const port = await serve(made);
    const controller = new AbortController();
    const response = call(port, 'wait', { signal: controller.signal });
    await made.started;
    controller.abort();
    await expect(response).rejects.toThrow('abort');
    await made.stopped;
  });

  it('W234 waits for a slow reader, and delivers the stream whole', async () => {
    const made = make();
    const answer = await postUnread(await serve(made), 'much');
    const handedOver = await untilStill(() => made.sent);
    expect(handedOver).toBeLessThan(MESSAGES);
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Buffer).byteLength;
    expect(made.sent).toBe(MESSAGES);
    expect(bytes).toBeGreaterThan(MESSAGES * MESSAGE_CHARS);
  });

  it('W234 stops for a slow reader that goes away', async () => {
    const made = make();
    const answer = await postUnread(await serve(made), 'much');
    await untilStill(() => made.sent);
    answer.destroy();
    const port = await serve(make());
    expect(await seenBy(call(port, 'look'))).toContain('/mcp');
    // What waited for the reader is let go: the tool comes to its end without writing.
    await untilStill(() => made.sent);
    expect(made.sent).toBe(MESSAGES);
  });

  it('answers 413 to a body over the limit, with and without a stated length', async () => {
    const port = await serve(make());
    const long = 'x'.repeat(10_000);
    expect((await call(port, 'look', { body: long })).status).toBe(413);
    const chunked = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest({ port, method: 'POST', headers: HEADERS }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      request.write(long);
      request.end();
    });
    expect(chunked).toBe(413);
  });

  it('W234 answers 500 without details when the handler fails, and reports it', async () => {
    const faults: string[] = [];
    const fail = (): Promise<never> => Promise.reject(new TypeError('secret detail'));
    const broken = { ...make().handler, fetch: fail, handle: fail };
    const handle = bind(broken, { onerror: (error) => faults.push(error.message) });
    const app = express().use(express.json(), handle);
    const response = await call(await listen(createServer(app)), 'look');
    expect([response.status, await response.json()]).toEqual([
      500,
      { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'Internal error' } },
    ]);
    expect(faults).toEqual(['secret detail']);
  });

  it('W234 serves HTTP/2', async () => {
    const handle = bind(make().handler);
    const server = createHttp2Server((request, response) => void handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const session = connectHttp2(`http://localhost:${String(port)}`);
    open.push(async () => {
      await new Promise<void>((resolve) => session.close(resolve));
      await new Promise<void>((resolve) => server.close(() => resolve()));
    });
    const stream = session.request({
      ':method': 'POST',
      ':path': '/mcp',
      ...HEADERS,
      'mcp-name': 'look',
      'x-own': 'own',
    });
    stream.end(bodyOf('look'));
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk as string;
    const { result } = JSON.parse(text) as { result: { content: [{ text: string }] } };
    expect(JSON.parse(result.content[0].text)).toEqual([
      'POST',
      '/mcp',
      'own',
      `localhost:${String(port)}`,
      null,
    ]);
  });
});
