import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@portico/client';
import { createHttpPool } from '@portico/client/node';
import { type CreateMcpHandlerOptions, McpServer, createMcpHandler } from '@portico/server';
import { afterEach, describe, expect, it } from 'vitest';
import { type OpenedClient, LOGGED_ROUTES } from './logged-routes.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const REPORTS = [
  { progress: 1, total: 3, message: 'one' },
  { progress: 2.5, total: 3, message: 'two ü 🎉' },
  { progress: 3, total: 3, message: 'three' },
];

function reportingServer(): McpServer {
  const server = new McpServer({ name: 'reports', version: '1' });
  server.registerTool('work', {}, ({ mcpReq }) => {
    for (const report of REPORTS) mcpReq.progress(report);
    return { content: [{ type: 'text', text: 'worked' }] };
  });
  return server;
}

/** What the caller of `work` hears, and when the call ended among it. */
async function heardOf(client: Client): Promise<unknown[]> {
  const heard: unknown[] = [];
  await client
    .callTool({ name: 'work' }, { onprogress: (progress) => heard.push(progress) })
    .then(({ content }) => heard.push(content));
  await new Promise((resolve) => setImmediate(resolve));
  return heard;
}

const ALL = [...REPORTS, [{ type: 'text', text: 'worked' }]];

describe.each(LOGGED_ROUTES)('progress, $name', (route) => {
  it('W72 is heard in order, with all it says, before the call is answered', async () => {
    const opened: OpenedClient = await route.open(reportingServer);
    cleanUps.push(() => opened.close());
    expect(await heardOf(opened.client)).toEqual(ALL);
    const calls = await Promise.all(Array.from({ length: 8 }, () => heardOf(opened.client)));
    expect(calls).toEqual(Array.from({ length: 8 }, () => ALL));
  });
});

const WAYS: readonly (readonly [name: string, mode: 'legacy' | 'auto', options: CreateMcpHandlerOptions])[] =
  [
    ['of a server without sessions', 'legacy', {}],
    ['of a server with sessions', 'legacy', { legacy: 'sessions' }],
    ['of one shared server', 'legacy', { instance: 'shared' }],
    ['in the modern era', 'auto', {}],
  ];

/** Reads answers to calls to their end, so that whoever asked gets all of it in one chunk. */
async function inOneChunk(response: Response, chunks: string[]): Promise<Response> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response;
  const text = await response.text();
  chunks.push(text);
  return new Response(text, response);
}

describe.each(WAYS)('progress in one chunk with the answer, %s', (_name, mode, options) => {
  const reports = (text: string | undefined): number => text?.match(/notifications\/progress/g)?.length ?? 0;

  async function connect(url: URL, http: ConstructorParameters<typeof StreamableHTTPClientTransport>[1]) {
    const client = new Client({ name: 'hears', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url, http));
    cleanUps.push(() => client.close());
    return client;
  }

  it('W72 is heard before the answer by a client over fetch', async () => {
    const handler = createMcpHandler(reportingServer, options);
    const chunks: string[] = [];
    const client = await connect(new URL('http://localhost/mcp'), {
      fetch: async (url, init) => {
        const headers = new Headers(init?.headers);
        headers.set('host', 'localhost');
        const response = await handler.fetch(new Request(url, { ...init, headers }));
        // The stream of server messages has no end.
        return init?.method === 'POST' ? inOneChunk(response, chunks) : response;
      },
    });
    expect(await heardOf(client)).toEqual(ALL);
    expect(reports(chunks.at(-1))).toBe(3);
    expect(chunks.at(-1)).toContain('worked');
  });

  it('W72 is heard before the answer by a client over a pool of sockets', async () => {
    const handler = createMcpHandler(reportingServer, options);
    const chunks: string[] = [];
    const answerWhole = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body: Uint8Array[] = [];
      for await (const chunk of request) body.push(chunk as Uint8Array);
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
      const { method = 'GET' } = request;
      if (method !== 'POST') {
        response.writeHead(405).end();
        return;
      }
      const given = { method, headers, body: Buffer.concat(body) };
      const asked = new Request(`http://localhost${request.url ?? ''}`, given);
      const answer = await inOneChunk(await handler.fetch(asked), chunks);
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    };
    const http = createServer((request, response) => void answerWhole(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    cleanUps.push(async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    });
    const { port } = http.address() as AddressInfo;
    const client = await connect(new URL(`http://127.0.0.1:${String(port)}/mcp`), { http: createHttpPool() });
    expect(await heardOf(client)).toEqual(ALL);
    expect(reports(chunks.at(-1))).toBe(3);
  });
});
