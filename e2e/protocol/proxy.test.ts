import {
  Client,
  InMemoryTransport,
  MissingRequiredClientCapabilityError,
  ProtocolError,
} from '@portico/client';
import { McpServer, Server } from '@portico/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from './test-server.ts';

type Era = 'legacy' | 'modern';
const ERAS: readonly Era[] = ['legacy', 'modern'];
const PAIRS = ERAS.flatMap((front) => ERAS.map((back) => [front, back] as const));
const META = { 'com.example/trace': 'abc' };

interface Seen {
  readonly metas: unknown[];
  readonly stopped: unknown[];
}

function downstream(seen: Seen): McpServer {
  const server = new McpServer({ name: 'downstream', version: '1' });
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }, { mcpReq }) => {
    seen.metas.push(mcpReq._meta);
    for (const progress of [1, 2]) mcpReq.progress({ progress, total: 2 });
    return { content: [{ type: 'text', text }], structuredContent: { text }, _meta: META };
  });
  server.registerTool('wait', {}, async ({ mcpReq }) => {
    const { signal } = mcpReq;
    mcpReq.progress({ progress: 1 });
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    seen.stopped.push(signal.reason);
    return { content: [] };
  });
  const read = (uri: URL): never => {
    throw new ProtocolError(-31_999, 'closed', { uri: uri.href, until: 7 });
  };
  server.registerResource('closed', 'x:closed', {}, read);
  server.registerPrompt('greet', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
  }));
  return server;
}

async function connected(
  server: { connect(transport: InMemoryTransport): Promise<void> },
  era: Era,
): Promise<Client> {
  const [left, right] = InMemoryTransport.createLinkedPair();
  await server.connect(right);
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(left);
  return client;
}

/** A low-level server whose every answer is that of a server behind it. */
function proxyTo(back: Client): Server {
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const proxy = new Server({ name: 'proxy', version: '1' }, { capabilities });
  proxy.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
    const { _meta: _sent, ...rest } = (params ?? {}) as Record<string, unknown>;
    const meta = mcpReq._meta;
    return back.request(
      { method, params: meta === undefined ? rest : { ...rest, _meta: meta } },
      { signal: mcpReq.signal, onprogress: (step) => mcpReq.progress(step) },
    );
  };
  return proxy;
}

describe('a proxy', () => {
  it.each(PAIRS)(
    'W251 forwards lists, calls, errors, _meta, progress and cancels from a %s client to a %s server',
    async (front, back) => {
      const seen: Seen = { metas: [], stopped: [] };
      const behind = await connected(downstream(seen), back);
      const client = await connected(proxyTo(behind), front);

      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'wait']);
      expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['x:closed']);
      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['greet']);
      expect((await client.getPrompt({ name: 'greet' })).messages).toHaveLength(1);

      const steps: unknown[] = [];
      const result = await client.callTool(
        { name: 'echo', arguments: { text: 'hi' }, _meta: META },
        { onprogress: (step) => steps.push(step) },
      );
      expect(result).toMatchObject({
        content: [{ text: 'hi' }],
        structuredContent: { text: 'hi' },
        _meta: META,
      });
      expect(steps).toEqual([
        { progress: 1, total: 2 },
        { progress: 2, total: 2 },
      ]);
      expect(seen.metas).toMatchObject([META]);

      const closed: unknown = await client.readResource({ uri: 'x:closed' }).catch((error: unknown) => error);
      expect(closed).toMatchObject({ code: -31_999, data: { uri: 'x:closed', until: 7 } });

      const controller = new AbortController();
      const call = client.callTool(
        { name: 'wait' },
        { signal: controller.signal, onprogress: () => controller.abort('enough') },
      );
      await expect(call).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
      await until(() => seen.stopped.length === 1, 'the cancel at the far end');
      await client.close();
      await behind.close();
    },
  );

  /** Refuses what it is asked as only a modern server does, and what the one in front must not repeat. */
  function refusing(): Server {
    const server = new Server(
      { name: 'refusing', version: '1' },
      { capabilities: { tools: {}, prompts: {} } },
    );
    server.setRequestHandler('tools/call', () => {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    });
    server.setRequestHandler('prompts/get', ({ params }) => {
      throw new ProtocolError(Number(params.name), 'refused', { why: params.name });
    });
    return server;
  }

  it.each(PAIRS)(
    'W251 says as its own what concerns it and its server alone, from a %s client to a %s server',
    async (front, back) => {
      const behind = await connected(refusing(), back);
      const client = await connected(proxyTo(behind), front);
      const failure = async (call: Promise<unknown>): Promise<unknown> =>
        call.catch((error: unknown) => error);

      // The proxy lacks the capability in the eyes of its server; the client may well have it.
      const direct = await failure(behind.callTool({ name: 'x' }));
      expect(direct).toMatchObject({ code: -32_021, received: true });
      const passed = await failure(client.callTool({ name: 'x' }));
      expect(passed).toMatchObject({ code: -32_603, data: { requiredCapabilities: { sampling: {} } } });
      expect(passed).not.toBeInstanceOf(MissingRequiredClientCapabilityError);
      for (const code of [-32_020, -32_022]) {
        expect(await failure(client.getPrompt({ name: String(code) }))).toMatchObject({
          code: -32_603,
          message: expect.stringContaining('refused') as string,
          data: { why: String(code) },
        });
      }
      // Errors about what was asked for are the client's business.
      for (const code of [-32_601, -32_602, -32_603, 7]) {
        expect(await failure(client.getPrompt({ name: String(code) }))).toMatchObject({
          code,
          message: 'refused',
          data: { why: String(code) },
        });
      }
      await client.close();
      await behind.close();
    },
  );

  it.each(ERAS)(
    'W251 lets a tool of its own fail where the tool of a %s server behind it refuses',
    async (back) => {
      const behind = await connected(refusing(), back);
      const proxy = new McpServer({ name: 'proxy', version: '1' });
      proxy.registerTool('x', {}, () => behind.callTool({ name: 'x' }));
      proxy.registerTool('mine', {}, () => {
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { roots: {} } });
      });
      const client = await connected(proxy, 'modern');
      expect(await client.callTool({ name: 'x' })).toMatchObject({ isError: true });
      await expect(client.callTool({ name: 'mine' })).rejects.toMatchObject({ code: -32_021 });
      await client.close();
      await behind.close();
    },
  );
});
