import { Client, InMemoryTransport, SdkError } from '@portico/client';
import { McpServer, ProtocolError, Server } from '@portico/server';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

const Search = z.object({ query: z.string(), limit: z.number().default(3) });
const Found = z.object({ items: z.array(z.string()) });
const SERVER = { capabilities: { tools: {} } };

async function connect(
  server: Server | McpServer,
  mode: 'legacy' | 'auto',
  client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } }),
) {
  const [left, right] = InMemoryTransport.createLinkedPair();
  await server.connect(right);
  await client.connect(left);
  expect(client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern');
  return { client, left, right };
}

describe.each(['legacy', 'auto'] as const)('methods of vendors, negotiated as %s', (mode) => {
  it('W244 W245 go to the server with parsed params and come back checked by a schema', async () => {
    const server = new Server({ name: 's', version: '1' }, SERVER);
    const runs = vi.fn<(query: string) => void>();
    server.setRequestHandler('acme/search', { params: Search, result: Found }, ({ query, limit }, ctx) => {
      runs(query);
      return { items: [`${query} ${limit} ${ctx.mcpReq.method}`] };
    });
    const { client } = await connect(server, mode);
    const request = { method: 'acme/search', params: { query: 'x' } };
    expect(await client.request(request, Found)).toEqual({ items: ['x 3 acme/search'] });
    await expect(client.request(request, z.object({ items: z.number() }))).rejects.toMatchObject({
      code: 'INVALID_RESULT',
    });
    await expect(client.request({ ...request, params: { query: 1 } }, Found)).rejects.toMatchObject({
      code: -32602,
    });
    await expect(client.request(request as never)).rejects.toBeInstanceOf(TypeError);
    expect(runs).toHaveBeenCalledTimes(2);
    server.setRequestHandler('acme/search', { params: Search }, () => ({ items: ['again'] }));
    expect(await client.request(request, Found)).toEqual({ items: ['again'] });
  });

  it('W244 notifications go both ways, parsed, and fallbacks see only what nothing else takes', async () => {
    const server = new Server({ name: 's', version: '1' }, SERVER);
    const seen: unknown[] = [];
    const Stage = { params: z.object({ n: z.number() }) };
    server.setNotificationHandler('acme/up', Stage, (params, { method }) => void seen.push(method, params));
    server.fallbackNotificationHandler = ({ method }) =>
      void (method.startsWith('acme/') && seen.push(method));
    server.fallbackRequestHandler = async ({ method }) => ({ served: method });
    server.setRequestHandler('acme/own', { params: z.object({}) }, async (_params, { mcpReq }) => {
      await mcpReq.notify({ method: 'acme/down', params: { n: 7 } });
      await mcpReq.notify({ method: 'acme/else' });
      return {};
    });
    const { client } = await connect(server, mode);
    client.setNotificationHandler('acme/down', Stage, (params, { method }) => void seen.push(method, params));
    client.fallbackNotificationHandler = ({ method }) => void seen.push(method);
    await client.notification({ method: 'acme/up', params: { n: 1 } });
    await client.notification({ method: 'acme/stray' });
    await client.request({ method: 'acme/own' }, z.looseObject({}));
    await vi.waitFor(() => expect(seen).toContain('acme/else'));
    expect(seen).toEqual(['acme/up', { n: 1 }, 'acme/stray', 'acme/down', { n: 7 }, 'acme/else']);
    expect(await client.request({ method: 'acme/unknown' }, z.looseObject({}))).toMatchObject({
      served: 'acme/unknown',
    });
  });

  it('W244 faults outside any call reach onerror, also through McpServer.server', async () => {
    const server = new McpServer({ name: 's', version: '1' });
    const reports: Error[] = [];
    server.server.onerror = (error) => void reports.push(error);
    server.server.setNotificationHandler('acme/up', { params: z.object({ n: z.number() }) }, () => {});
    const { client, right } = await connect(server, mode);
    right.onerror?.(new SdkError('SEND_FAILED', 'broken pipe'));
    await client.notification({ method: 'acme/up', params: { n: 'one' } });
    await vi.waitFor(() => expect(reports).toHaveLength(2));
    expect(reports[0]).toMatchObject({ code: 'SEND_FAILED' });
    expect(reports[1]).toBeInstanceOf(Error);
  });

  it('W245 results of the specification are checked by the name of the method, and an explicit schema passes old forms', async () => {
    const server = new Server({ name: 's', version: '1' }, SERVER);
    server.setRequestHandler('tools/list', () => ({ tools: 'none' }) as never);
    server.setRequestHandler('tools/call', () => ({ toolResult: 5 }) as never);
    const { client } = await connect(server, mode);
    const listed = client.request({ method: 'tools/list' });
    await expect(listed).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    const old = await client.request(
      { method: 'tools/call', params: { name: 'old' } },
      z.object({ toolResult: z.number() }),
    );
    expect(old).toEqual({ toolResult: 5 });
  });
});

describe('requests of servers', () => {
  it('W244 W245 reach handlers of the client with schemas, on a call and within one', async () => {
    const server = new Server({ name: 's', version: '1' }, SERVER);
    server.setRequestHandler('acme/within', { params: z.object({}) }, async (_params, { mcpReq }) => {
      const roots = await mcpReq.send({ method: 'roots/list' });
      const found = await mcpReq.send({ method: 'acme/search', params: { query: 'in' } }, Found);
      const bad = await mcpReq
        .send({ method: 'acme/bad' } as never)
        .catch((error: unknown) => error instanceof TypeError);
      return { roots: roots.roots.length, found: found.items, bad };
    });
    const client = new Client({ name: 'c', version: '1' }, { capabilities: { roots: {} } });
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///a' }] }));
    client.setRequestHandler('acme/search', { params: Search, result: Found }, ({ query, limit }) => ({
      items: [`${query} ${limit}`],
    }));
    await connect(server, 'legacy', client);
    expect(await server.request({ method: 'acme/search', params: { query: 'x' } }, Found)).toEqual({
      items: ['x 3'],
    });
    expect((await server.request({ method: 'roots/list' })).roots).toHaveLength(1);
    const refused = server.request({ method: 'acme/search', params: {} }, Found);
    await expect(refused).rejects.toBeInstanceOf(ProtocolError);
    await expect(refused).rejects.toMatchObject({ code: -32602 });
    const misfit = server.request(
      { method: 'acme/search', params: { query: 'x' } },
      z.object({ items: z.number() }),
    );
    await expect(misfit).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    expect(await client.request({ method: 'acme/within' }, z.looseObject({}))).toMatchObject({
      roots: 0,
      found: ['in 3'],
      bad: true,
    });
  });
});
