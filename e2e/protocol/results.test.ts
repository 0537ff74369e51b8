// oxlint-disable vitest/no-conditional-expect -- what can be seen of a rule differs from route to route
import { afterEach, describe, expect, it } from 'vitest';
import { McpServer, completable } from '@portico/server';
import { isDiscoverResult } from '@portico/spec';
import { z } from 'zod';
import {
  type RawClient,
  type RouteOptions,
  SERVER_ROUTES,
  type Seen,
  type ServerRoute,
} from './server-routes.ts';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

const INFO = { name: 'results', version: '3', title: 'All results' };
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const MODERN = SERVER_ROUTES.filter(({ era }) => era === 'modern');

/** One of everything that answers, for both eras. */
function everything(options: { readonly sendServerInfo?: boolean } = {}): McpServer {
  const server = new McpServer(INFO, {
    ...options,
    instructions: 'Be kind.',
    capabilities: { logging: {}, completions: {}, resources: { subscribe: true } },
    cacheHints: { 'tools/list': { ttlMs: 5000, cacheScope: 'public' } },
  });
  const text = { content: [{ type: 'text' as const, text: 'x' }] };
  server.registerTool('plain', {}, () => text);
  server.registerTool('fails', {}, () => {
    throw new TypeError('no');
  });
  server.registerTool('own', {}, () => ({
    ...text,
    _meta: { [SERVER_INFO]: { name: 'mine', version: '0' }, 'com.example/k': 1 },
  }));
  const hint = { ttlMs: 7000, cacheScope: 'public' as const };
  server.registerResource('r', 'test://r', { cacheHint: hint }, () => ({
    contents: [{ uri: 'test://r', text: 'x' }],
  }));
  const argument = completable(z.string(), () => ['a']);
  server.registerPrompt('p', { argsSchema: z.object({ a: argument }) }, () => ({ messages: [] }));
  server.server.setRequestHandler('com.example/own', () => ({ answer: 1 }));
  return server;
}

type Call = readonly [method: string, params?: Record<string, unknown>];
const COMMON: readonly Call[] = [
  ['tools/list'],
  ['tools/call', { name: 'plain' }],
  ['tools/call', { name: 'fails' }],
  ['resources/list'],
  ['resources/templates/list'],
  ['resources/read', { uri: 'test://r' }],
  ['prompts/list'],
  ['prompts/get', { name: 'p', arguments: { a: 'a' } }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }],
  ['com.example/own'],
];
/** Sets members that only the modern era has. */
const OWN: Call = ['tools/call', { name: 'own' }];
const LEGACY_ONLY: readonly Call[] = [
  ['ping'],
  ['logging/setLevel', { level: 'error' }],
  ['resources/subscribe', { uri: 'test://r' }],
  ['resources/unsubscribe', { uri: 'test://r' }],
];

/** Opens a route, with the servers that it makes. */
async function opened(
  route: ServerRoute,
  build: () => McpServer,
  options?: RouteOptions,
): Promise<{ client: RawClient; made: McpServer[] }> {
  const made: McpServer[] = [];
  const client = await route.open(() => {
    const server = build();
    made.push(server);
    return server;
  }, options);
  open.push(client);
  return { client, made };
}

const resultOf = (message: Seen): Record<string, unknown> => {
  const { result } = message;
  if (typeof result !== 'object' || result === null) {
    throw new TypeError(`no result: ${JSON.stringify(message)}`);
  }
  return result as Record<string, unknown>;
};
const metaOf = (message: Seen): Record<string, unknown> | undefined =>
  resultOf(message)['_meta'] as Record<string, unknown> | undefined;

/** The last result of a stream of changes that the server ends. */
async function endOfListening(client: RawClient, made: readonly McpServer[]): Promise<Seen> {
  const params = client.params({ notifications: { toolsListChanged: true } });
  const text = JSON.stringify({ jsonrpc: '2.0', id: 'changes', method: 'subscriptions/listen', params });
  const sent = client.send(text);
  await client.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
  const ends = client.next((message) => message['id'] === 'changes' && 'result' in message);
  // What ends it is the server's side: in memory the raw client is the other one.
  void (client.route.endsWith('memory') ? made[0]?.close() : client.close());
  const end = await ends;
  await sent;
  return end;
}

describe.each(SERVER_ROUTES)('results of a server over $name', (route) => {
  it('W35 say what they are in the modern era, and nothing modern in the legacy one', async () => {
    const { client, made } = await opened(route, () => everything());
    if (route.era === 'legacy') {
      for (const [method, params] of [...COMMON, ...LEGACY_ONLY, OWN]) {
        const answer = await client.request(method + JSON.stringify(params), method, params);
        expect([method, Object.keys(answer)]).toEqual([method, ['jsonrpc', 'id', 'result']]);
        const text = JSON.stringify(answer['result']);
        expect([method, text]).toEqual([
          method,
          expect.not.stringMatching(
            /resultType|ttlMs|cacheScope|inputRequests|requestState|supportedVersions|io\.modelcontextprotocol/,
          ),
        ]);
      }
      const fresh = await opened(route, () => everything(), { handshake: false });
      const clientInfo = { name: 'raw', version: '1' };
      const hello = await fresh.client.request('hello', 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo,
      });
      expect(Object.keys(resultOf(hello)).sort()).toEqual([
        'capabilities',
        'instructions',
        'protocolVersion',
        'serverInfo',
      ]);
      return;
    }
    for (const [method, params] of [...COMMON, ['server/discover'] as Call]) {
      const answer = await client.request(method + JSON.stringify(params), method, params);
      expect([method, resultOf(answer)['resultType']]).toEqual([method, 'complete']);
    }
    expect(resultOf(await endOfListening(client, made))['resultType']).toBe('complete');
  });
});

describe.each(MODERN)('results of a server over $name', (route) => {
  it('W33 describe the server to whoever asks first, and to nobody who does not', async () => {
    const { client } = await opened(route, () => everything());
    const answer = await client.request('first', 'server/discover');
    expect(isDiscoverResult(resultOf(answer))).toBe(true);
    expect(resultOf(answer)).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'],
      capabilities: {
        logging: {},
        completions: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
      },
      instructions: 'Be kind.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [SERVER_INFO]: INFO },
    });
    const bare = await opened(route, () => new McpServer(INFO));
    const short = resultOf(await bare.client.request('first', 'server/discover'));
    expect(isDiscoverResult(short)).toBe(true);
    expect('instructions' in short).toBe(false);
    const second = await opened(route, () => everything());
    expect(resultOf(await second.client.request('first', 'tools/call', { name: 'plain' }))).toMatchObject({
      content: [{ text: 'x' }],
    });
  });

  it('W34 carry the identity of the server, the handler’s own first, and none when that is off', async () => {
    const { client, made } = await opened(route, () => everything());
    for (const [method, params] of [...COMMON, ['server/discover'] as Call]) {
      const answer = await client.request(method + JSON.stringify(params), method, params);
      expect([method, metaOf(answer)?.[SERVER_INFO]]).toEqual([method, INFO]);
    }
    const own = await client.request('own', 'tools/call', { name: 'own' });
    expect(metaOf(own)).toEqual({ [SERVER_INFO]: { name: 'mine', version: '0' }, 'com.example/k': 1 });
    const end = metaOf(await endOfListening(client, made));
    expect(end).toEqual({ [SERVER_INFO]: INFO, 'io.modelcontextprotocol/subscriptionId': 'changes' });
    const silent = await opened(route, () => everything({ sendServerInfo: false }));
    for (const [method, params] of [...COMMON, ['server/discover'] as Call]) {
      const answer = await silent.client.request(method + JSON.stringify(params), method, params);
      expect([method, metaOf(answer)?.[SERVER_INFO]]).toEqual([method, undefined]);
    }
    expect(metaOf(await endOfListening(silent.client, silent.made))).toEqual({
      'io.modelcontextprotocol/subscriptionId': 'changes',
    });
  });
});
