import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  applyMiddlewares,
  withLogging,
} from '@portico/client';
import type { EraStore, ResponseCacheStore } from '@portico/client';
import { createMemoryTransportPair } from '@portico/rpc';
import {
  type EventStore,
  InMemoryTaskStore,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
} from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { listenForUnhandled } from '../../testing/unhandled-rejections.ts';
import { LOGGED_ROUTES } from './logged-routes.ts';
import { until } from './test-server.ts';

const unhandled = listenForUnhandled();

/** What a callback of a user may do instead of its work. */
const TROUBLES: readonly [what: string, trouble: () => unknown][] = [
  [
    'throw',
    () => {
      throw new RangeError('a callback');
    },
  ],
  ['reject', () => Promise.reject(new RangeError('a callback'))],
  ['never settle', () => new Promise(() => undefined)],
];

/** Rejections are told a few turns later. */
async function turns(): Promise<void> {
  for (let count = 0; count < 10; count++) await new Promise((resolve) => setImmediate(resolve));
}

/** Counts how often the trouble came. */
function counted(trouble: () => unknown): { readonly calls: () => number; readonly run: () => never } {
  let calls = 0;
  const run = (): never => {
    calls += 1;
    return trouble() as never;
  };
  return { calls: () => calls, run };
}

const text = { content: [{ type: 'text' as const, text: 'fine' }] };
const KINDS = TROUBLES.flatMap(([what, trouble]) =>
  LOGGED_ROUTES.map((route) => ({ what, trouble, route, name: route.name })),
);

describe('callbacks of users', () => {
  it.each(KINDS)('W257 that $what break nothing else, over $name', async ({ trouble, route }) => {
    const { run, calls } = counted(trouble);
    let server: McpServer | undefined;
    const store = new InMemoryTaskStore();
    const make = (): McpServer => {
      const made = new McpServer(
        { name: 's', version: '1' },
        { capabilities: { logging: {} }, tasks: { store }, observer: run },
      );
      server ??= made;
      Object.assign(made.server, { onerror: run, onclose: run, oninitialized: run, onwarning: run });
      made.server.setNotificationHandler('acme/up', run);
      made.registerTool('odd name', {}, async ({ mcpReq }) => {
        mcpReq.progress({ progress: 1 });
        await mcpReq.notify({ method: 'acme/down' });
        return text;
      });
      made.registerTool(
        'late',
        {},
        ({ tasks }) =>
          (tasks?.isSupported === true ? tasks.start(() => Promise.resolve(text)) : text) as never,
      );
      return made;
    };
    const onChanged = run;
    const { client, close } = await route.open(make, {
      observer: run,
      capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      listChanged: { tools: { onChanged, debounceMs: 0 } },
      prepare(opened) {
        Object.assign(opened, { onerror: run, onclose: run, onsessionrenewed: run });
        opened.setNotificationHandler('acme/down', run);
      },
    });
    await client.notification({ method: 'acme/up' });
    const options = { onprogress: run, onresumptiontoken: run, ontask: run };
    expect(await client.callTool({ name: 'odd name' }, options)).toMatchObject(text);
    expect(await client.callTool({ name: 'late' }, options)).toMatchObject(text);
    const before = calls();
    server?.registerTool('more', {}, () => text);
    if (route.transport !== 'http') await until(() => calls() > before, 'the change');
    expect((await client.listTools()).tools.length).toBeGreaterThan(1);
    expect(await client.callTool({ name: 'odd name' })).toMatchObject(text);
    await close();
    expect(client.transport).toBeUndefined();
    await turns();
    expect(calls()).toBeGreaterThan(8);
    expect(unhandled()).toEqual([]);
  });

  it.each(TROUBLES)(
    'W257 in a store that %s cost what they would have saved, and nothing else',
    async (_what, trouble) => {
      const { run, calls } = counted(trouble);
      const clock = createManualClock();
      const store = { get: run, set: run, delete: run, evict: run, clear: run };
      const responseCacheStore: ResponseCacheStore = store;
      const eraStore: EraStore = store;
      const server = new McpServer({ name: 's', version: '1' });
      server.registerTool('t', {}, () => text);
      server.registerResource('r', 'x:r', { cacheHint: { ttlMs: 60_000 } }, () => ({
        contents: [{ uri: 'x:r', text: 'r' }],
      }));
      const [left, right] = createMemoryTransportPair();
      await server.connect(right);
      const mode: ClientOptions['versionNegotiation'] = { mode: 'auto' };
      const client = new Client(
        { name: 'c', version: '1' },
        { clock, responseCacheStore, eraStore, versionNegotiation: mode },
      );
      const reported: unknown[] = [];
      client.onerror = (error) => reported.push(error);
      /** What waits for a store waits for a second of the clock at most. */
      const patiently = async <T>(work: Promise<T>): Promise<T> => {
        let over = false;
        const done = work.finally(() => (over = true));
        for (let second = 0; second < 20 && !over; second++) await clock.advance(1_000);
        return done;
      };
      Object.assign(left, { serverKey: 'memory' });
      await patiently(client.connect(left));
      expect(client.getProtocolEra()).toBe('modern');
      expect((await patiently(client.listTools())).tools).toHaveLength(1);
      for (let round = 0; round < 2; round++) {
        expect((await patiently(client.readResource({ uri: 'x:r' }))).contents).toHaveLength(1);
      }
      await client.close();
      await turns();
      expect(calls()).toBeGreaterThan(4);
      expect(reported.length).toBeGreaterThan(4);
      expect(unhandled()).toEqual([]);
    },
  );

  it.each(TROUBLES)('W257 around requests over HTTP that %s change no answer', async (what, trouble) => {
    const { run, calls } = counted(trouble);
    const server = new McpServer({ name: 's', version: '1' });
    server.registerTool('t', {}, () => text);
    const handler = createMcpHandler(() => server, {
      legacy: 'sessions',
      onerror: run,
      sessions: { onsessionclosed: run },
    });
    const fetch = applyMiddlewares(withLogging({ logger: run }))((url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('host', 'localhost');
      return handler.fetch(new Request(url, { ...init, headers }));
    });
    const client = new Client({ name: 'c', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch });
    Object.assign(transport, { onerror: run, onclose: run, onmessage: run });
    await client.connect(transport);
    expect(await client.callTool({ name: 't' })).toMatchObject(text);
    // A refusal is told to the callback, too.
    const refused = await handler.fetch(
      new Request('http://localhost/mcp', { method: 'PUT', headers: { host: 'localhost' } }),
    );
    expect(refused.status).toBe(405);
    expect(await client.callTool({ name: 't' })).toMatchObject(text);
    await client.close();
    await handler.close();
    await turns();
    expect([what, calls() > 5]).toEqual([what, true]);
    expect(unhandled()).toEqual([]);
  });

  it.each(TROUBLES)(
    'W257 of an event store that %s cost the chance to resume, not the message',
    async (_what, trouble) => {
      const { run, calls } = counted(trouble);
      const clock = createManualClock();
      const eventStore: EventStore = { storeEvent: run, replayEventsAfter: run };
      const server = new McpServer({ name: 's', version: '1' }, { clock });
      server.registerTool('t', {}, ({ mcpReq }) => {
        mcpReq.progress({ progress: 1 });
        return text;
      });
      const hosted = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => 'one',
        eventStore,
        clock,
      });
      Object.assign(hosted, { onerror: run, onclose: run });
      await server.connect(hosted);
      const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
        fetch: (url, init) => {
          const headers = new Headers(init?.headers);
          headers.set('host', 'localhost');
          return hosted.handleRequest(new Request(url, { ...init, headers }));
        },
      });
      const client = new Client({ name: 'c', version: '1' });
      const seconds = async <T>(work: Promise<T>): Promise<T> => {
        let over = false;
        const done = work.finally(() => (over = true));
        for (let second = 0; second < 20 && !over; second++) await clock.advance(1_000);
        return done;
      };
      await seconds(client.connect(transport));
      const steps: unknown[] = [];
      const call = client.callTool({ name: 't' }, { onprogress: (step) => steps.push(step) });
      expect(await seconds(call)).toMatchObject(text);
      expect([steps.length, calls() > 1]).toEqual([1, true]);
      await seconds(client.close());
      await turns();
      expect(unhandled()).toEqual([]);
    },
  );

  it.each(TROUBLES)('W257 of a Node handler that %s leave the fault answered', async (_what, trouble) => {
    const { run, calls } = counted(trouble);
    const listener = toNodeHandler(
      { fetch: async () => Promise.reject(new TypeError('broken')) },
      { onerror: run },
    );
    const listening = createServer((request, response) => void listener(request, response));
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const { port } = listening.address() as AddressInfo;
    const answer = await globalThis.fetch(`http://127.0.0.1:${String(port)}/`);
    expect([answer.status, calls()]).toEqual([500, 1]);
    listening.closeAllConnections();
    await new Promise((resolve) => listening.close(resolve));
    await turns();
    expect(unhandled()).toEqual([]);
  });
});
