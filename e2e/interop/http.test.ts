import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPClientTransport } from '@portico/client';
import { createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import { StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { toNodeHandler as officialNodeHandler } from '@modelcontextprotocol/node';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StreamableHTTPServerTransport as V1Server } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler as officialHandler } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe } from 'vitest';
import { itConverses, itInteroperates } from './behaviour.ts';
import { createOfficialV1Server } from './fixtures/official-v1-server.ts';
import { createOfficialV2Server } from './fixtures/official-v2-server.ts';
import { createOurServer } from './fixtures/our-server.ts';
import type { InteropClient, Mode } from './interop-client.ts';
import { ourClient, officialV1Client, officialV2Client } from './interop-client.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];

async function serve(listener: Listener): Promise<URL> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`);
}

/** The official server 1 as its documentation hosts it: one transport and server a session. */
function officialV1Listener(): Listener {
  const sessions = new Map<string, V1Server>();
  const open = async (): Promise<V1Server> => {
    const transport: V1Server = new V1Server({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createOfficialV1Server({ stopped: 0 }).connect(transport);
    return transport;
  };
  const handle: (...given: Parameters<Listener>) => Promise<void> = async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const transport = typeof id === 'string' ? sessions.get(id) : await open();
    if (transport === undefined) response.writeHead(404).end();
    else await transport.handleRequest(request, response);
  };
  return (request, response) => void handle(request, response);
}

type Endpoint = 'sessions' | 'streaming' | 'stateless' | 'officialV2' | 'officialV1';

const urls = new Map<Endpoint, URL>();
const urlOf = (name: Endpoint): URL => urls.get(name) ?? new URL('http://127.0.0.1:1/');

beforeAll(async () => {
  const serveOurs = (handler: ReturnType<typeof createMcpHandler>): Promise<URL> => {
    const handle = toNodeHandler(handler);
    return serve((request, response) => void handle(request, response));
  };
  const shared = createOurServer();
  urls.set('sessions', await serveOurs(createMcpHandler(shared, { legacy: 'sessions' })));
  const streaming = createMcpHandler(shared, { legacy: 'sessions', responseMode: 'sse' });
  urls.set('streaming', await serveOurs(streaming));
  const state = { stopped: 0 };
  urls.set('stateless', await serveOurs(createMcpHandler(() => createOurServer(state))));
  const official = officialNodeHandler(officialHandler(() => createOfficialV2Server(state)));
  urls.set(
    'officialV2',
    await serve((request, response) => void official(request as Parameters<typeof official>[0], response)),
  );
  urls.set('officialV1', await serve(officialV1Listener()));
});

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

const ours = (name: Endpoint, mode: Mode): Promise<InteropClient> =>
  ourClient(new StreamableHTTPClientTransport(urlOf(name)), mode);
const official2 = (name: Endpoint, mode: Mode): Promise<InteropClient> =>
  officialV2Client(new V2Http(urlOf(name)), mode);
const official1 = (name: Endpoint): Promise<InteropClient> => officialV1Client(new V1Http(urlOf(name)));

describe.each(['sessions', 'streaming'] as const)('over HTTP, our server with %s', (name) => {
  describe.each([
    ['our client, modern', { era: 'modern', connect: () => ours(name, 'auto') }],
    ['our client, legacy', { era: 'legacy', connect: () => ours(name, 'legacy') }],
    [
      'official client 2, modern',
      { era: 'modern', connect: () => official2(name, 'auto'), progressMayBeLost: true },
    ],
    [
      'official client 2, legacy',
      { era: 'legacy', connect: () => official2(name, 'legacy'), progressMayBeLost: true },
    ],
    ['official client 1', { era: 'legacy', connect: () => official1(name), progressMayBeLost: true }],
  ] as const)('%s', (_client, pairing) => {
    itInteroperates(pairing);
    itConverses(pairing);
  });
});

describe('over HTTP, our server without sessions, one instance a request', () => {
  describe('our client, modern', () => {
    itInteroperates({ era: 'modern', connect: () => ours('stateless', 'auto') });
    itConverses({ era: 'modern', connect: () => ours('stateless', 'auto') });
  });

  describe('official client 2, modern', () => {
    const connect = (): Promise<InteropClient> => official2('stateless', 'auto');
    itInteroperates({ era: 'modern', connect, progressMayBeLost: true });
    itConverses({ era: 'modern', connect });
  });

  describe.each([
    ['our client', () => ours('stateless', 'legacy'), false],
    ['official client 2', () => official2('stateless', 'legacy'), true],
    ['official client 1', () => official1('stateless'), true],
  ] as const)('%s, legacy', (_client, connect, progressMayBeLost) => {
    itInteroperates({ era: 'legacy', connect, progressMayBeLost });
  });
});

describe('over HTTP, our client and official server 2', () => {
  describe('modern', () => {
    itInteroperates({ era: 'modern', connect: () => ours('officialV2', 'auto') });
    itConverses({ era: 'modern', connect: () => ours('officialV2', 'auto') });
  });

  describe('legacy, without sessions', () => {
    itInteroperates({ era: 'legacy', connect: () => ours('officialV2', 'legacy') });
  });
});

describe('over HTTP, our client and official server 1 with sessions', () => {
  itInteroperates({ era: 'legacy', connect: () => ours('officialV1', 'auto') });
  itConverses({ era: 'legacy', connect: () => ours('officialV1', 'auto') });
});
