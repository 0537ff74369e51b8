import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler as officialNodeHandler } from '@modelcontextprotocol/node';
import {
  McpServer as OfficialServer,
  createMcpHandler as officialHandler,
} from '@modelcontextprotocol/server';
import { Client, StreamableHTTPClientTransport } from '@portico/client';
import { createHttpPool } from '@portico/client/node';
import { McpServer, createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import { z } from 'zod';
import { afterEach, describe, expect, it } from 'vitest';

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

async function connect(url: URL, http = createHttpPool()): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(url, { http }));
  cleanUps.push(() => client.close());
  return client;
}

const SERVERS: Readonly<Record<string, () => RequestListener>> = {
  'of our own': () => {
    const server = new McpServer({ name: 'ours', version: '1' });
    server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
    const handle = toNodeHandler(createMcpHandler(() => server));
    return (request, response) => void handle(request, response);
  },
  'of the official sdk': () => {
    const handler = officialHandler(() => {
      const server = new OfficialServer({ name: 'official', version: '1' });
      server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
        content: [{ type: 'text', text }],
      }));
      return server;
    });
    return officialNodeHandler(handler) as RequestListener;
  },
};

describe.each(Object.keys(SERVERS))('a client over a pool and a server %s', (name) => {
  it('find the modern era and carry many calls at once, each to its caller', async () => {
    const client = await connect(await listen(SERVERS[name]?.() as RequestListener));
    expect(client.getProtocolEra()).toBe('modern');
    const texts = Array.from({ length: 200 }, (_, n) => `grüße ${String(n)} 🎉`);
    const results = await Promise.all(
      texts.map((text) => client.callTool({ name: 'echo', arguments: { text } })),
    );
    expect(results.map(({ content }) => content)).toEqual(texts.map((text) => [{ type: 'text', text }]));
  });
});
