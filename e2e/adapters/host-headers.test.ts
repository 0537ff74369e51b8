import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  type McpHttpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@portico/server';
import { createMcpExpressApp } from '@portico/server/express';
import { createMcpFastifyApp } from '@portico/server/fastify';
import { createMcpHonoApp } from '@portico/server/hono';
import { NodeStreamableHTTPServerTransport } from '@portico/server/node';
import { http } from '../../testing/http.ts';
import { ADAPTERS, type HostOptions, closeHosts, listenOn } from './hosts.ts';

afterAll(closeHosts);

/** Answers everybody, so that only the adapter's own checks are seen. */
const OPEN: McpHttpHandler = {
  ...createMcpHandler(() => new McpServer({ name: 'open', version: '1' })),
  fetch: () => Promise.resolve(new Response('{}')),
  handle: () => Promise.resolve({ status: 200, headers: {}, body: '{}' }),
};

const OWN_HOSTS = [
  'localhost',
  'localhost:3000',
  '127.0.0.1',
  '127.0.0.1:80',
  '[::1]',
  '[::1]:3000',
  'LOCALHOST:1',
];
const FOREIGN_HOSTS = [
  'evil.test',
  'localhost.evil.test',
  'evil.test:3000',
  '127.0.0.1.evil.test',
  'localhost@evil.test',
  'evil.test#localhost',
  '0.0.0.0',
  '[::2]',
  'localhost:99999',
  'local host',
];
const OWN_ORIGINS = [
  'http://localhost',
  'http://localhost:5173',
  'https://127.0.0.1:8443',
  'http://[::1]:3000',
];
const FOREIGN_ORIGINS = ['https://evil.test', 'http://localhost.evil.test', 'http://127.0.0.2'];
const NO_ORIGINS = [
  'null',
  'nonsense',
  'file://',
  'http://',
  'localhost',
  'http://localhost/page',
  'http://u@localhost',
];

const SENT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** Sends a request with exactly these two headers; undefined leaves one out. */
type Ask = (headers: { host?: string; origin?: string }) => Promise<number>;

async function passes(ask: Ask, headers: { host?: string; origin?: string }): Promise<void> {
  expect([headers, await ask(headers)]).toEqual([headers, 200]);
}

async function isRefused(ask: Ask, headers: { host?: string; origin?: string }): Promise<void> {
  expect([headers, await ask(headers)]).toEqual([headers, 403]);
}

/** Only HTTP/1.0 may leave the header out; servers refuse anything later by themselves. */
function withoutHost(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const lines = [
        'POST /mcp HTTP/1.0',
        'content-type: application/json',
        `accept: ${SENT.accept}`,
        `content-length: ${String(BODY.length)}`,
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n${BODY}`);
    });
    socket.on('data', (data) => {
      resolve(Number(/^HTTP\/1\.\d (\d+)/.exec(data.toString('latin1'))?.[1]));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

/** The table for a bind to loopback with nothing listed. */
async function guardsLoopback(ask: Ask): Promise<void> {
  for (const host of OWN_HOSTS) await passes(ask, { host });
  for (const host of FOREIGN_HOSTS) await isRefused(ask, { host });
  await isRefused(ask, {});
  for (const origin of OWN_ORIGINS) await passes(ask, { host: 'localhost', origin });
  for (const origin of [...FOREIGN_ORIGINS, ...NO_ORIGINS])
    await isRefused(ask, { host: 'localhost', origin });
}

const LISTS = {
  allowedHosts: ['mcp.example', '[fd00::1]'],
  allowedOrigins: ['app.example', 'moz-extension://*', 'http://*', 'null'],
};

/** The table for given lists: they replace the default. */
async function guardsByLists(ask: Ask): Promise<void> {
  for (const host of ['mcp.example', 'mcp.example:8080', 'MCP.example', '[fd00::1]:1'])
    await passes(ask, { host });
  for (const host of ['localhost', '127.0.0.1', 'other.example']) await isRefused(ask, { host });
  await isRefused(ask, {});
  const host = 'mcp.example';
  for (const origin of ['https://app.example', 'http://app.example:8080', 'moz-extension://an-id']) {
    await passes(ask, { host, origin });
  }
  for (const origin of ['http://localhost', 'https://other.example', ...NO_ORIGINS]) {
    await isRefused(ask, { host, origin });
  }
}

describe.each(ADAPTERS)('who may talk to a server on %s', (_name, serve) => {
  const start = async (options: HostOptions = {}): Promise<Ask> => {
    const { url } = await serve(OPEN, options);
    return async ({ host, origin }) => {
      const headers = { ...SENT, ...(origin === undefined ? {} : { origin }) };
      return host === undefined
        ? withoutHost(Number(url.port))
        : (await http(url.href, { method: 'POST', body: BODY, headers: { ...headers, host } })).status;
    };
  };

  it('W236 is whoever names this machine, on a bind to loopback', async () => {
    await guardsLoopback(await start());
    await guardsLoopback(await start({ host: 'localhost' }));
  });

  it('W236 is whoever is listed, where lists are given', async () => {
    await guardsByLists(await start(LISTS));
    await guardsByLists(await start({ ...LISTS, host: '0.0.0.0', onwarning: () => undefined }));
  });
});

describe('who may talk to a fetch handler', () => {
  const ask =
    (hosts: string[], origins: string[]): Ask =>
    ({ host, origin }) => {
      const headers = new Headers();
      if (host !== undefined) headers.set('host', host);
      if (origin !== undefined) headers.set('origin', origin);
      const request = new Request('http://anywhere.test/', { headers });
      const refused =
        hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins);
      return Promise.resolve(refused?.status ?? 200);
    };

  it('W236 is told by the helpers as by the adapters', async () => {
    await guardsLoopback(ask(localhostAllowedHostnames(), localhostAllowedOrigins()));
    await guardsByLists(ask(LISTS.allowedHosts, LISTS.allowedOrigins));
  });
});

describe('who may talk to a transport that is wired by hand', () => {
  const headersOf = ({ host, origin }: Parameters<Ask>[0]): Record<string, string> => ({
    ...SENT,
    ...(host === undefined ? {} : { host }),
    ...(origin === undefined ? {} : { origin }),
  });

  const overFetch =
    (options: object): Ask =>
    async (headers) => {
      const transport = new WebStandardStreamableHTTPServerTransport({
        enableJsonResponse: true,
        enableDnsRebindingProtection: true,
        ...options,
      });
      await new McpServer({ name: 'wired', version: '1' }).connect(transport);
      const init = { method: 'POST', headers: headersOf(headers), body: BODY };
      return (await transport.handleRequest(new Request('http://anywhere.test/', init))).status;
    };

  const overNode = async (options: object): Promise<Ask> => {
    const server = createServer((request, response) => {
      const transport = new NodeStreamableHTTPServerTransport({
        enableJsonResponse: true,
        enableDnsRebindingProtection: true,
        ...options,
      });
      const connected = new McpServer({ name: 'wired', version: '1' }).connect(transport);
      void connected.then(() => transport.handleRequest(request, response));
    });
    const url = await listenOn(server);
    return async (headers) =>
      headers.host === undefined
        ? withoutHost(Number(url.port))
        : (await http(url.href, { method: 'POST', body: BODY, headers: headersOf(headers) })).status;
  };

  it('W236 is told by the old options as by the adapters', async () => {
    await guardsLoopback(overFetch({}));
    await guardsByLists(overFetch(LISTS));
    await guardsLoopback(await overNode({}));
    await guardsByLists(await overNode(LISTS));
  });
});

const FACTORIES = [
  ['Express', createMcpExpressApp],
  ['Hono', createMcpHonoApp],
  ['Fastify', createMcpFastifyApp],
] as const;

describe.each(FACTORIES)('an app of %s that listens to all networks', (_name, create) => {
  it('W236 warns when it names no hosts, and only then', () => {
    const warnings: string[] = [];
    const onwarning = (message: string): void => void warnings.push(message);
    for (const host of ['0.0.0.0', '::']) create({ host, onwarning });
    expect(warnings).toEqual([expect.stringContaining('0.0.0.0'), expect.stringContaining('::')]);
    create({ host: '0.0.0.0', allowedHosts: ['mcp.example'], onwarning });
    create({ host: '192.0.2.1', onwarning });
    create({ onwarning });
    expect(warnings).toHaveLength(2);
    const seen = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    create({ host: '0.0.0.0' });
    expect(seen).toHaveBeenCalledOnce();
    seen.mockRestore();
  });
});

describe.each(ADAPTERS)('a server on %s', (name, serve) => {
  it('W236 listens on 127.0.0.1 unless told otherwise', async () => {
    expect((await serve(OPEN)).address).toBe('127.0.0.1');
    const open = await serve(OPEN, { host: '0.0.0.0', onwarning: () => undefined });
    expect(open.address).toBe('0.0.0.0');
  });

  // node:http has no app whose bind says what is checked.
  if (name === 'node:http') return;

  it('W236 refuses opaque origins also where nothing else is checked', async () => {
    const { url } = await serve(OPEN, { host: '0.0.0.0', onwarning: () => undefined });
    const ask = async (origin: string): Promise<number> => {
      const headers = { ...SENT, host: 'any.example', origin };
      return (await http(url.href, { method: 'POST', body: BODY, headers })).status;
    };
    expect(await ask('https://any.example')).toBe(200);
    for (const origin of NO_ORIGINS) expect([origin, await ask(origin)]).toEqual([origin, 403]);
  });
});
