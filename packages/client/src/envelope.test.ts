// oxlint-disable vitest/no-conditional-expect -- only the last request asks for progress
import { createMemoryTransportPair } from '@portico/rpc';
import type { JSONRPCMessage } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedFetch } from '../../../testing/scripted-fetch.ts';
import { discovered } from '../../../testing/scripted-server.ts';
import { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';
import { StreamableHTTPClientTransport } from './http/transport.ts';

const INFO = { name: 'envelope', version: '1' };
const CAPABILITIES = {
  roots: {},
  extensions: { 'io.modelcontextprotocol/tasks': {}, 'com.example/x': { y: 1 } },
};
const ALL = {
  tools: { listChanged: true },
  resources: {},
  prompts: {},
  completions: {},
  extensions: { 'io.modelcontextprotocol/tasks': {} },
};
const OWN = { 'com.example/own': { deep: [1] }, traceparent: 't-p', tracestate: 't-s', baggage: 'b' };
const PREFIX = 'io.modelcontextprotocol/';

type Request = JSONRPCMessage & { id: number; method: string; params?: Record<string, unknown> };

/** What a modern server of everything answers, from a first version that it refuses on. */
function answerTo({ method, params }: Request, seen: readonly Request[]): Record<string, unknown> {
  const complete = (result: object): Record<string, unknown> => ({
    result: { resultType: 'complete', ...result },
  });
  const before = seen.filter((other) => other.method === method).length;
  switch (method) {
    case 'server/discover':
      if (before === 1) {
        const data = { supported: ['2026-07-28'], requested: '2026-07-28' };
        return { error: { code: -32_022, message: 'once more', data } };
      }
      return complete(discovered(ALL));
    case 'tools/call':
      if (params?.['name'] === 'asks' && params['inputResponses'] === undefined) {
        return {
          result: { resultType: 'input_required', inputRequests: { q: { method: 'roots/list' } } },
        };
      }
      return complete({ content: [] });
    case 'tools/list':
      return complete({ tools: [] });
    case 'resources/list':
      return complete({ resources: [] });
    case 'resources/templates/list':
      return complete({ resourceTemplates: [] });
    case 'resources/read':
      return complete({ contents: [] });
    case 'prompts/list':
      return complete({ prompts: [] });
    case 'prompts/get':
      return complete({ messages: [] });
    case 'completion/complete':
      return complete({ completion: { values: [] } });
    case 'tasks/get':
      return complete({
        taskId: 't',
        status: 'working',
        createdAt: '2026-01-01T00:00:00Z',
        lastUpdatedAt: '2026-01-01T00:00:00Z',
        ttlMs: null,
      });
    default:
      return complete({});
  }
}

interface Tapped {
  readonly client: Client;
  readonly seen: readonly Request[];
}

async function open(kind: 'memory' | 'http', options: ClientOptions = {}): Promise<Tapped> {
  const clock = createManualClock();
  const client = new Client(INFO, {
    clock,
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    ...options,
  });
  client.setRequestHandler('roots/list', () => ({ roots: [] }));
  const seen: Request[] = [];
  const acknowledged = (id: number): JSONRPCMessage => ({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: {}, _meta: { [`${PREFIX}subscriptionId`]: id } },
  });
  if (kind === 'http') {
    const { fetch } = createScriptedFetch(({ body }) => {
      const request = body as unknown as Request;
      seen.push(request);
      const answer = { jsonrpc: '2.0', id: request.id, ...answerTo(request, seen) };
      if (request.method !== 'subscriptions/listen') return Response.json(answer);
      const events = [acknowledged(request.id), answer].map((event) => `data: ${JSON.stringify(event)}\n\n`);
      return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
    });
    await client.connect(new StreamableHTTPClientTransport('http://server.test/mcp', { fetch, clock }));
    return { client, seen };
  }
  const [transport, other] = createMemoryTransportPair();
  other.onmessage = (message) => {
    const request = message as Request;
    seen.push(request);
    if (request.id === undefined) return;
    if (request.method === 'subscriptions/listen') void other.send(acknowledged(request.id));
    const answer = { jsonrpc: '2.0', id: request.id, ...answerTo(request, seen) };
    void other.send(answer as unknown as JSONRPCMessage);
  };
  await other.start();
  await client.connect(transport);
  return { client, seen };
}

/** Every request that a client has a call for. */
const CALLS: readonly [method: string, call: (client: Client) => Promise<unknown>][] = [
  ['server/discover', (client) => client.discover()],
  ['tools/list', (client) => client.listTools({ _meta: OWN })],
  ['resources/list', (client) => client.listResources({ _meta: OWN })],
  ['resources/templates/list', (client) => client.listResourceTemplates({ _meta: OWN })],
  ['prompts/list', (client) => client.listPrompts({ _meta: OWN })],
  ['tools/call', (client) => client.callTool({ name: 'x', _meta: OWN })],
  ['tools/call', (client) => client.callTool({ name: 'asks', _meta: OWN })],
  ['resources/read', (client) => client.readResource({ uri: 'x:y', _meta: OWN })],
  ['prompts/get', (client) => client.getPrompt({ name: 'p', _meta: OWN })],
  [
    'completion/complete',
    (client) =>
      client.complete({
        ref: { type: 'ref/prompt', name: 'p' },
        argument: { name: 'a', value: '' },
        _meta: OWN,
      }),
  ],
  ['tasks/get', (client) => client.getTask('t')],
  ['tasks/update', (client) => client.updateTask('t', {})],
  ['tasks/cancel', (client) => client.cancelTask('t')],
  ['com.example/own', (client) => client.invoke('com.example/own', { _meta: OWN })],
  ['subscriptions/listen', (client) => client.listen({ toolsListChanged: true })],
];
/** Calls without params of the caller's own. */
const BARE: ReadonlySet<string> = new Set([
  'server/discover',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
  'subscriptions/listen',
]);

describe.each(['memory', 'http'] as const)('modern requests over %s', (kind) => {
  it.each([true, false])(
    'W27 carry version and capabilities beside the caller’s own keys, the identity as told: %s',
    async (sendClientInfo) => {
      const { client, seen } = await open(kind, { sendClientInfo });
      for (const [method, call] of CALLS) {
        const before = seen.length;
        await call(client);
        expect([method, seen.length > before]).toEqual([method, true]);
      }
      const progress = { onprogress: () => undefined };
      await client.callTool({ name: 'x', _meta: { ...OWN, progressToken: 'mine' } }, progress);
      // Two openings, since the first was refused, and two rounds of the call that asked.
      const requests = seen.filter(({ id }) => id !== undefined);
      expect(requests.filter(({ method }) => method === 'server/discover')).toHaveLength(3);
      expect(requests.filter(({ params }) => params?.['name'] === 'asks')).toHaveLength(2);
      for (const { method, params } of requests) {
        const meta = params?.['_meta'] as Record<string, unknown>;
        const { progressToken, ...rest } = meta;
        expect([method, rest]).toEqual([
          method,
          {
            ...(BARE.has(method) ? {} : OWN),
            [`${PREFIX}protocolVersion`]: '2026-07-28',
            [`${PREFIX}clientCapabilities`]: CAPABILITIES,
            ...(sendClientInfo ? { [`${PREFIX}clientInfo`]: INFO } : {}),
          },
        ]);
        if (requests.at(-1)?.params === params) expect(progressToken).toBeDefined();
      }
    },
  );
});
