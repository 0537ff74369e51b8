import { type Server, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer, createMcpHandler } from '@portico/server';
import { afterEach, describe, expect, it } from 'vitest';
import { modern } from '../../../../testing/mcp-wire.ts';
import { type NodeRequest, toNodeHandler } from './http.ts';

const open: Server[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

interface Waiting {
  readonly server: McpServer;
  readonly stopped: Promise<void>;
  readonly started: Promise<void>;
}

function make(): Waiting {
  const server = new McpServer({ name: 'node', version: '1' });
  server.registerTool('look', {}, ({ http }) => ({
    content: [
      {
        type: 'text',
        text: JSON.stringify([http?.req.method, new URL(http?.req.url ?? '').pathname, http?.authInfo]),
      },
    ],
  }));
  let stop = (): void => undefined;
  let start = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const started = new Promise<void>((resolve) => (start = resolve));
  server.registerTool('wait', {}, async ({ mcpReq }) => {
    mcpReq.signal.addEventListener('abort', () => stop(), { once: true });
    start();
    await stopped;
    return { content: [] };
  });
  server.registerTool('much', {}, async ({ mcpReq }) => {
    for (let count = 1; count <= 200; count++) {
      await mcpReq.notify({ method: 'com.example/much', params: { data: 'x'.repeat(50_000) } });
    }
    return { content: [] };
  });
  return { server, stopped, started };
}

async function serve(
  server: McpServer,
  prepare: (request: NodeRequest) => void = () => undefined,
): Promise<number> {
  const handle = toNodeHandler(createMcpHandler(server, { keepAliveMs: 0, maxBodyBytes: 5000 }));
  const http = createServer((request, response) => {
    prepare(request);
    void handle(request, response, () => undefined);
  });
  open.push(http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return (http.address() as AddressInfo).port;
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
    headers: { ...HEADERS, 'mcp-name': name },
    body: bodyOf(name),
    ...init,
  });

describe('over node:http', () => {
  it('shows handlers the request and what the gate attached', async () => {
    const port = await serve(make().server, (request) => Object.assign(request, { auth: { token: 't' } }));
    const response = await call(port, 'look');
    expect(await response.json()).toMatchObject({
      result: { content: [{ text: '["POST","/mcp",{"token":"t"}]' }] },
    });
  });

  it('takes a body that somebody has parsed', async () => {
    const { server } = make();
    const handle = toNodeHandler(createMcpHandler(server));
    const http = createServer((request, response) => {
      request.resume();
      void handle(request, response, JSON.parse(bodyOf('look')));
    });
    open.push(http);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const response = await call((http.address() as AddressInfo).port, 'look', { body: 'ignored' });
    expect(response.status).toBe(200);
  });

  it('aborts a call whose client is gone', async () => {
    const { server, started, stopped } = make();
    const port = await serve(server);
    const controller = new AbortController();
    const response = call(port, 'wait', { signal: controller.signal });
    await started;
    controller.abort();
    await expect(response).rejects.toThrow('abort');
    await stopped;
  });

  it('delivers a long stream to a slow reader whole', async () => {
    const port = await serve(make().server);
    const response = await call(port, 'much');
    const reader = response.body?.getReader();
    let bytes = 0;
    for (;;) {
      const chunk = await reader?.read();
      if (chunk?.value === undefined) break;
      bytes += chunk.value.byteLength;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(bytes).toBeGreaterThan(200 * 50_000);
  });

  it('answers 413 to a body over the limit, with and without a stated length', async () => {
    const port = await serve(make().server);
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

  it('answers 500 without details when the adapter fails, and reports it', async () => {
    const faults: string[] = [];
    const broken = { handle: () => Promise.reject(new TypeError('secret detail')) };
    const handle = toNodeHandler(broken, { onerror: (error) => faults.push(error.message) });
    const http = createServer((request, response) => void handle(request, response));
    open.push(http);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const response = await call((http.address() as AddressInfo).port, 'look');
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('secret')]);
    expect(faults).toEqual(['secret detail']);
  });
});
