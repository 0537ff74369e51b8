import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client as OfficialClient } from '@modelcontextprotocol/client';
import { Client as OfficialClient1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as OfficialSse1 } from '@modelcontextprotocol/sdk/client/sse.js';
import {
  SSEClientTransport as OfficialSse2,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { McpServer, createMcpHandler } from '@portico/server';
import { afterEach, describe, expect, it } from 'vitest';
import { http, postJson, openHttp } from '../../../../testing/http.ts';
import { toNodeHandler } from './to-node-handler.ts';
import { SSEServerTransport } from './sse.ts';

const INFO = { name: 'sse', version: '1' };
const open: Server[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

function make(): McpServer {
  const server = new McpServer(INFO);
  server.registerTool('ask', {}, async ({ mcpReq }) => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: '?' } }];
    const { model } = await mcpReq.requestSampling({ messages, maxTokens: 1 });
    return { content: [{ type: 'text', text: model }] };
  });
  return server;
}

interface Deployment {
  readonly url: string;
  readonly transports: Map<string, SSEServerTransport>;
  readonly closed: string[];
}

/** The old transport on its two routes beside streamable HTTP on a third, over the same tools. */
async function deploy(): Promise<Deployment> {
  const transports = new Map<string, SSEServerTransport>();
  const closed: string[] = [];
  const streamable = toNodeHandler(createMcpHandler(make, { legacy: 'sessions' }));
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/mcp') {
      void streamable(request, response);
    } else if (pathname === '/sse') {
      const transport = new SSEServerTransport('/messages?kept=1', response);
      transports.set(transport.sessionId, transport);
      transport.onclose = () => closed.push(transport.sessionId);
      void make().connect(transport);
    } else {
      const transport = transports.get(searchParams.get('sessionId') ?? '');
      if (transport === undefined) response.writeHead(404).end();
      else void transport.handlePostMessage(request, response);
    }
  });
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, transports, closed };
}

const sampled = { role: 'assistant' as const, content: { type: 'text' as const, text: 'x' }, model: 'm-1' };

describe('the transport of revision 2024-11-05', () => {
  it('W102 serves old clients beside new ones, each session on its own route', async () => {
    const { url, closed, transports } = await deploy();
    const old2 = new OfficialClient(INFO, { capabilities: { sampling: {} } });
    old2.setRequestHandler('sampling/createMessage', () => sampled);
    await old2.connect(new OfficialSse2(new URL(`${url}/sse`)));
    const old1 = new OfficialClient1(INFO);
    await old1.connect(new OfficialSse1(new URL(`${url}/sse`)));
    const fresh = new OfficialClient(INFO, { versionNegotiation: { mode: 'auto' } });
    await fresh.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    const lists = await Promise.all([old1.listTools(), old2.listTools(), fresh.listTools()]);
    expect(lists.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['ask'], ['ask'], ['ask']]);
    expect(await old2.callTool({ name: 'ask', arguments: {} })).toMatchObject({ content: [{ text: 'm-1' }] });
    expect(transports.size).toBe(2);
    await Promise.all([old1.close(), old2.close(), fresh.close()]);
    while (closed.length < 2) await new Promise<void>((resolve) => setImmediate(resolve));
    expect(new Set(closed)).toEqual(new Set(transports.keys()));
  });

  it('W102 begins with the address to post to, and takes messages of up to 4 MiB', async () => {
    const { url } = await deploy();
    const stream = await openHttp(`${url}/sse`);
    stream.setEncoding('utf8');
    const [first] = (await once(stream, 'data')) as [string];
    const address = /^event: endpoint\ndata: (\/messages\?kept=1&sessionId=[\w-]{36})\n\n$/.exec(first)?.[1];
    expect(address).toMatch(/^\/messages/);
    const target = `${url}${address ?? ''}`;
    const answered = once(stream, 'data') as Promise<[string]>;
    const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' };
    const taken = await postJson(target, ping);
    expect([taken.status, taken.text]).toEqual([202, 'Accepted']);
    expect((await answered)[0]).toContain('{"jsonrpc":"2.0","id":"p","result":{}}');
    const sized = (bytes: number): string => {
      const text = JSON.stringify({ ...ping, method: 'notifications/x', params: { pad: '' }, id: undefined });
      return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`);
    };
    const headers = { 'content-type': 'application/json' };
    const attempt = async (body: string, extra: Record<string, string> = {}): Promise<number> =>
      (await http(target, { method: 'POST', headers: { ...headers, ...extra }, body })).status;
    expect(await attempt(sized(4 * 1024 * 1024))).toBe(202);
    expect(await attempt(sized(4 * 1024 * 1024 + 1))).toBe(413);
    expect(await attempt('{')).toBe(400);
    expect(await attempt('[]')).toBe(400);
    expect(await attempt('{}', { 'content-type': 'text/plain' })).toBe(415);
    expect(await attempt('{}', { origin: 'https://evil.test' })).toBe(403);
    stream.destroy();
  });
});
