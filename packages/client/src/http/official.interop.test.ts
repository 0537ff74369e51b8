import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  McpServer as McpServer2,
  createMcpHandler,
  inputRequired,
  acceptedContent,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { afterEach, describe, expect, it } from 'vitest';
import { startHttpServer } from '../../../../testing/npm-servers.ts';
import type { HttpServerProcess } from '../../../../testing/npm-servers.ts';
import { Client } from '../client.ts';
import type { ClientOptions } from '../client-options.ts';
import type { FetchLike } from './fetch-client.ts';
import { StreamableHTTPClientTransport } from './transport.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function connect(
  fetch: FetchLike,
  options: ClientOptions = { versionNegotiation: { mode: 'auto' } },
): Promise<Client> {
  const client = new Client({ name: 'portico-test', version: '1' }, options);
  await client.connect(new StreamableHTTPClientTransport('http://server.test/mcp', { fetch }));
  cleanUps.push(() => client.close());
  return client;
}

/** A handler in this process as the other end of a fetch. */
const inProcess =
  (serve: (request: Request) => Promise<Response>): FetchLike =>
  (url, init) =>
    serve(new Request(url, init));

function official2(): FetchLike {
  const handler = createMcpHandler(() => {
    const server = new McpServer2(
      { name: 'official', version: '2' },
      { capabilities: { tools: { listChanged: true } }, instructions: 'be kind' },
    );
    server.registerTool(
      'echo',
      { description: 'echoes', inputSchema: z.object({ text: z.string() }) },
      ({ text }) => ({ content: [{ type: 'text', text }] }),
    );
    server.registerTool('steps', { inputSchema: z.object({}) }, async (_args, ctx) => {
      const token = ctx.mcpReq._meta?.progressToken;
      for (let progress = 1; progress <= 3 && token !== undefined; progress++) {
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress, total: 3 },
        });
      }
      return { content: [] };
    });
    server.registerTool('asks', { inputSchema: z.object({}) }, (_args, ctx) => {
      const given = acceptedContent<{ name: string }>(ctx.mcpReq.inputResponses, 'who');
      if (given !== undefined) return { content: [{ type: 'text', text: `hello ${given.name}` }] };
      return inputRequired({
        inputRequests: {
          who: inputRequired.elicit({
            message: 'who are you?',
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
          }),
        },
      });
    });
    return server;
  });
  return inProcess((request) => handler.fetch(request));
}

describe('with the official server 2.4.0 in both eras', () => {
  it('finds the modern era, lists, calls and hears progress before the result', async () => {
    const client = await connect(official2());
    expect(client.getProtocolEra()).toBe('modern');
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(client.getServerVersion()).toMatchObject({ name: 'official', version: '2' });
    expect(client.getInstructions()).toBe('be kind');
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['echo', 'steps', 'asks']);
    const result = await client.callTool({ name: 'echo', arguments: { text: 'Grüße 🎉' } });
    expect(result.content).toEqual([{ type: 'text', text: 'Grüße 🎉' }]);
    const seen: number[] = [];
    await client.callTool(
      { name: 'steps', arguments: {} },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  it('answers a modern server that asks for input and gets the final result', async () => {
    const client = new Client(
      { name: 'portico-test', version: '1' },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', (request) => {
      expect(request.params?.['message']).toBe('who are you?');
      return { action: 'accept', content: { name: 'Ada' } };
    });
    const fetch = official2();
    await client.connect(new StreamableHTTPClientTransport('http://server.test/mcp', { fetch }));
    cleanUps.push(() => client.close());
    const result = await client.callTool({ name: 'asks', arguments: {} });
    expect(result.content).toEqual([{ type: 'text', text: 'hello Ada' }]);
  });

  it('opens a stream of change notices and closes it again', async () => {
    const client = await connect(official2());
    const subscription = await client.listen({ toolsListChanged: true });
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
    await subscription.close();
    expect(await subscription.closed).toBe('local');
  });

  it('shakes hands when it is told to speak the legacy era', async () => {
    const client = await connect(official2(), { versionNegotiation: { mode: 'legacy' } });
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    const result = await client.callTool({ name: 'echo', arguments: { text: 'x' } });
    expect(result.content).toEqual([{ type: 'text', text: 'x' }]);
  });

  it('hands on an unknown tool as an error of the protocol', async () => {
    const client = await connect(official2());
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({
      name: 'ProtocolError',
      code: -32602,
    });
  });
});

/** A server of the 1.x line with sessions, which it can be made to forget. */
function official1(): { readonly fetch: FetchLike; forget(): void; readonly sessions: string[] } {
  let byId = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const sessions: string[] = [];
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const server = new McpServer1({ name: 'official', version: '1' });
    server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        sessions.push(id);
        byId.set(id, transport);
      },
    });
    await server.connect(transport);
    return transport;
  };
  return {
    sessions,
    forget: () => {
      byId = new Map();
    },
    fetch: inProcess(async (request) => {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return (await open()).handleRequest(request);
      const known = byId.get(id);
      if (known !== undefined) return known.handleRequest(request);
      const error = { code: -32001, message: 'Session not found' };
      return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
    }),
  };
}

describe('with the official sdk 1.32.2 and its sessions', () => {
  it('falls back to the handshake, keeps the session and ends it at the end', async () => {
    const server = official1();
    const client = await connect(server.fetch);
    expect(client.getProtocolEra()).toBe('legacy');
    expect(client.transport?.sessionId).toBe(server.sessions[0]);
    const result = await client.callTool({ name: 'echo', arguments: { text: 'x' } });
    expect(result.content).toEqual([{ type: 'text', text: 'x' }]);
  });

  it('makes the loss of a session invisible to five calls at once', async () => {
    const server = official1();
    const client = await connect(server.fetch);
    server.forget();
    const results = await Promise.all(
      Array.from({ length: 5 }, (_, n) => client.callTool({ name: 'echo', arguments: { text: `${n}` } })),
    );
    expect(results.map(({ content }) => content)).toEqual(
      Array.from({ length: 5 }, (_, n) => [{ type: 'text', text: `${n}` }]),
    );
    expect(server.sessions).toHaveLength(2);
    expect(client.transport?.sessionId).toBe(server.sessions[1]);
  });
});

describe('with server-everything over streamable HTTP', () => {
  it('calls tools and receives progress over a real socket', async () => {
    const server: HttpServerProcess = await startHttpServer('server-everything', ['streamableHttp']);
    cleanUps.push(() => server.stop());
    const client = new Client(
      { name: 'portico-test', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    );
    await client.connect(new StreamableHTTPClientTransport(server.url));
    cleanUps.push(() => client.close());
    expect(client.getProtocolEra()).toBe('legacy');
    const seen: number[] = [];
    await client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(seen).toEqual([1, 2, 3]);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(5);
  });
});
