import { Client, InMemoryTransport, traceMeta } from '@portico/client';
import { type JSONRPCMessage, createMemoryTransportPair } from '@portico/rpc';
import { McpServer, Server, type ServerContext, inputRequired } from '@portico/server';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { discovered } from '../../testing/scripted-server.ts';
import { LOGGED_ROUTES } from './logged-routes.ts';

/** As a tracer writes them, and as none should: what passes through is nobody's to mend. */
const TRACES: readonly Readonly<Record<string, unknown>>[] = [
  {
    ...traceMeta({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      sampled: true,
      state: { rojo: '1' },
      baggage: { user: 'ü' },
    }),
  },
  { traceparent: 'cc-anything-of-a-later-version', tracestate: ' odd =,', baggage: '' },
];

const INFO = { name: 'traced', version: '1' };
const FORM = { message: 'Sure?', requestedSchema: { type: 'object' as const, properties: {} } };

/** What of a `_meta` is a trace. */
function traceOf(meta: unknown): object {
  const { traceparent, tracestate, baggage } = (meta ?? {}) as Record<string, unknown>;
  return { traceparent, tracestate, baggage };
}

interface Seen {
  readonly byServer: unknown[];
  readonly byClient: unknown[];
}

/** Hands on the trace of each call in all that it says. */
function tracedServer(seen: Seen): McpServer {
  const server = new McpServer(INFO, { capabilities: { logging: {} } });
  const own = ({ mcpReq }: ServerContext): Record<string, unknown> => ({ ...mcpReq._meta });
  server.registerTool('call', {}, async (context) => {
    const meta = own(context);
    seen.byServer.push(meta);
    const params = { level: 'error', data: 'x', _meta: meta };
    await context.mcpReq.notify({ method: 'notifications/message', params });
    return { content: [], _meta: meta };
  });
  server.registerTool('ask', {}, (context) => {
    const meta = own(context);
    seen.byServer.push(meta);
    if (context.mcpReq.inputResponses !== undefined) return { content: [], _meta: meta };
    return inputRequired({ inputRequests: { q: inputRequired.elicit({ ...FORM, _meta: meta }) } });
  });
  return server;
}

async function call(client: Client, name: string, trace: object): Promise<unknown> {
  const { _meta } = await client.callTool({ name, _meta: { ...trace, 'com.example/own': 1 } });
  return _meta;
}

describe.each(LOGGED_ROUTES)('over $name', (route) => {
  it.each(TRACES)(
    'W259 traces pass untouched in both directions, beside what else is there (%#)',
    async (trace) => {
      const seen: Seen = { byServer: [], byClient: [] };
      const { client, close, log } = await route.open(() => tracedServer(seen), {
        capabilities: { elicitation: {} },
        prepare(opened) {
          opened.setRequestHandler('elicitation/create', (_request, { mcpReq }) => {
            seen.byClient.push(mcpReq._meta);
            return { action: 'accept', content: {}, _meta: { ...mcpReq._meta } };
          });
          opened.setNotificationHandler('notifications/message', ({ params }) => {
            seen.byClient.push(params['_meta']);
          });
        },
      });
      if (route.era === 'legacy') await client.setLoggingLevel('debug');
      const level = route.era === 'legacy' ? {} : { 'io.modelcontextprotocol/logLevel': 'debug' };
      const results = [await call(client, 'call', { ...trace, ...level }), await call(client, 'ask', trace)];
      for (const meta of [...results, ...seen.byServer, ...seen.byClient])
        expect(traceOf(meta)).toEqual(trace);
      expect([results.length, seen.byServer.length, seen.byClient.length]).toEqual([2, 3, 2]);
      // A call that goes round after a question is still part of its trace.
      const calls = log.filter(({ message }) => message['method'] === 'tools/call');
      expect(calls).toHaveLength(route.era === 'modern' ? 3 : 2);
      for (const { message } of calls) {
        const { _meta: meta } = message['params'] as { _meta: Record<string, unknown> };
        expect(traceOf(meta)).toEqual(trace);
        expect(meta['com.example/own']).toBe(1);
        const envelope = Object.keys(meta).filter((key) => key.startsWith('io.modelcontextprotocol/'));
        expect(envelope.length > 0).toBe(route.era === 'modern');
      }
      await close();
    },
  );
});

const PAIRS = (['legacy', 'modern'] as const).flatMap((front) =>
  (['legacy', 'modern'] as const).map((back) => [front, back] as const),
);

async function connected(
  server: { connect(transport: InMemoryTransport): Promise<void> },
  era: 'legacy' | 'modern',
): Promise<Client> {
  const [left, right] = InMemoryTransport.createLinkedPair();
  await server.connect(right);
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(left);
  return client;
}

describe('a proxy', () => {
  it.each(PAIRS)('W259 hands traces on as they are, from a %s client to a %s server', async (front, back) => {
    for (const trace of TRACES) {
      const seen: Seen = { byServer: [], byClient: [] };
      const behind = await connected(tracedServer(seen), back);
      const proxy = new Server(INFO, { capabilities: { tools: {} } });
      proxy.fallbackRequestHandler = ({ method, params }, { mcpReq }) =>
        behind.request({ method, params: { ...params, _meta: { ...mcpReq._meta } } });
      const client = await connected(proxy, front);
      expect(traceOf(await call(client, 'call', trace))).toEqual(trace);
      expect(seen.byServer.map(traceOf)).toEqual([trace]);
      await client.close();
      await behind.close();
    }
  });
});

describe('a request that is sent again', () => {
  it('W259 keeps its trace in another version of the protocol', async () => {
    const [transport, other] = createMemoryTransportPair();
    const calls: JSONRPCMessage[] = [];
    other.onmessage = (message) => {
      if (!('method' in message) || !('id' in message) || message.id === undefined) return;
      const { id, method } = message;
      if (method === 'tools/call') calls.push(message);
      const error = { code: -32_022, message: 'again', data: { supported: ['2026-07-28'], requested: 'x' } };
      const result = method === 'server/discover' ? discovered() : { resultType: 'complete', content: [] };
      const refused = method === 'tools/call' && calls.length === 1;
      void other.send({ jsonrpc: '2.0', id, ...(refused ? { error } : { result }) } as JSONRPCMessage);
    };
    await other.start();
    const mode = { pin: '2026-07-28' };
    const client = new Client(INFO, { versionNegotiation: { mode }, clock: createManualClock() });
    await client.connect(transport);
    const [trace = {}] = TRACES;
    await client.callTool({ name: 'x', _meta: trace });
    expect(calls).toHaveLength(2);
    for (const message of calls) {
      const { params } = message as unknown as { params: Record<string, unknown> };
      expect(traceOf(params['_meta'])).toEqual(trace);
    }
    await client.close();
  });
});
