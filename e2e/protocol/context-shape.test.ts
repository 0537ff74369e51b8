import type { ClientContext } from '@portico/client';
import {
  InMemoryEventStore,
  McpServer,
  type ServerContext,
  createMcpHandler,
  inputRequired,
} from '@portico/server';
import { afterEach, describe, expect, it } from 'vitest';
import { post } from '../../testing/mcp-http.ts';
import { modern } from '../../testing/mcp-wire.ts';
import { LOGGED_ROUTES, type OpenedClient } from './logged-routes.ts';
import { type RawClient, SERVER_ROUTES } from './server-routes.ts';

const open: (RawClient | OpenedClient)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** What a member is, so that shapes can be compared: its type, or its class. */
function kindOf(value: unknown): string {
  if (value === null || typeof value !== 'object') return typeof value;
  const { constructor } = value;
  return constructor === Object || constructor === undefined ? 'object' : constructor.name;
}
const kindsOf = (value: object, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, kindOf((value as Record<string, unknown>)[name])]));

const REQUEST = [
  'id',
  'method',
  '_meta',
  'signal',
  'send',
  'notify',
  'log',
  'elicitInput',
  'requestSampling',
  'envelope',
  'inputResponses',
  'requestState',
  'progress',
];
const HTTP = ['authInfo', 'req', 'closeSSE', 'closeStandaloneSSE'];

interface Shape {
  readonly sessionId: string;
  readonly mcpReq: Readonly<Record<string, string>>;
  readonly http: Readonly<Record<string, string>> | 'undefined';
  readonly own: readonly unknown[];
}

function shapeOf(context: ServerContext): Shape {
  const { http, mcpReq, sessionId } = context;
  return {
    sessionId: typeof sessionId,
    mcpReq: kindsOf(mcpReq, REQUEST),
    http: http === undefined ? 'undefined' : kindsOf(http, HTTP),
    own: [mcpReq.id, mcpReq.method, mcpReq._meta, mcpReq.signal.aborted, mcpReq.requestState()],
  };
}

/** Members that every request has, whatever it came by. */
const ALWAYS = {
  id: 'number',
  method: 'string',
  _meta: 'object',
  signal: 'AbortSignal',
  send: 'function',
  notify: 'function',
  log: 'function',
  elicitInput: 'function',
  requestSampling: 'function',
  requestState: 'function',
  progress: 'function',
  inputResponses: 'undefined',
};

function shapingServer(shapes: Shape[], contexts: ServerContext[] = []): () => McpServer {
  const take = (context: ServerContext): void => {
    contexts.push(context);
    shapes.push(shapeOf(context));
  };
  return () => {
    const server = new McpServer({ name: 'shape', version: '1' }, { capabilities: { logging: {} } });
    server.registerTool('shape', {}, (context) => {
      take(context);
      return { content: [] };
    });
    server.registerResource('r', 'x:r', {}, (_uri, context) => {
      take(context);
      return { contents: [] };
    });
    server.registerPrompt('p', {}, (context) => {
      take(context);
      return { messages: [] };
    });
    server.server.setRequestHandler('com.example/own', (_request, context) => {
      take(context);
      return {};
    });
    return server;
  };
}

const META = { 'com.example/own': 1 };
const REQUESTS: readonly (readonly [method: string, params: Record<string, unknown>])[] = [
  ['tools/call', { name: 'shape', _meta: META }],
  ['resources/read', { uri: 'x:r', _meta: META }],
  ['prompts/get', { name: 'p', _meta: META }],
  ['com.example/own', { _meta: META }],
];

describe.each(SERVER_ROUTES)('the context of a server’s handler over $name', (route) => {
  it('W243 has the same members for every kind of handler, and those of its transport and era', async () => {
    const shapes: Shape[] = [];
    const client = await route.open(shapingServer(shapes));
    open.push(client);
    for (const [index, [method, params]] of REQUESTS.entries()) {
      expect(await client.request(index, method, params)).toMatchObject({ id: index, result: {} });
    }
    const byHttp = route.transport === 'http';
    const inSession = byHttp && route.era === 'legacy';
    const expected = REQUESTS.map(([method], index) => ({
      sessionId: inSession ? 'string' : 'undefined',
      mcpReq: { ...ALWAYS, envelope: route.era === 'modern' ? 'object' : 'undefined' },
      http: byHttp
        ? {
            authInfo: 'undefined',
            req: 'Request',
            closeSSE: 'undefined',
            closeStandaloneSSE: 'undefined',
          }
        : 'undefined',
      own: [index, method, META, false, undefined],
    }));
    expect(shapes).toEqual(expected);
  });
});

describe('the context of a request in a session that can be taken up again', () => {
  it('W243 can close its own stream and that of the server’s messages', async () => {
    const shapes: Shape[] = [];
    const handler = createMcpHandler(shapingServer(shapes), {
      legacy: 'sessions',
      sessions: { eventStore: new InMemoryEventStore() },
    });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const opened = await post(handler, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const headers = {
      'mcp-session-id': opened.headers.get('mcp-session-id'),
      'mcp-protocol-version': '2025-11-25',
    };
    await post(
      handler,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'shape' } },
      { headers },
    );
    const closers = { closeSSE: 'function', closeStandaloneSSE: 'function' };
    expect(shapes).toMatchObject([{ sessionId: 'string', http: { req: 'Request', ...closers } }]);
    await handler.close();
  });
});

describe('the context of a request without a session', () => {
  it.each(['legacy', 'modern'] as const)(
    'W243 has the http part with what the gate made, %s',
    async (era) => {
      const shapes: Shape[] = [];
      const contexts: ServerContext[] = [];
      const handler = createMcpHandler(shapingServer(shapes, contexts));
      const params = { name: 'shape', _meta: META };
      const body = {
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: era === 'modern' ? modern(params) : params,
      };
      const authInfo = { token: 't', clientId: 'c', scopes: [] };
      await post(handler, body, { authInfo, headers: { 'x-mine': 'yes' } });
      expect(shapes).toMatchObject([
        {
          sessionId: 'undefined',
          mcpReq: { ...ALWAYS, envelope: era === 'modern' ? 'object' : 'undefined' },
          http: {
            authInfo: 'object',
            req: 'Request',
            closeSSE: 'undefined',
            closeStandaloneSSE: 'undefined',
          },
          own: [7, 'tools/call', META, false, undefined],
        },
      ]);
      expect(contexts[0]?.http?.authInfo).toBe(authInfo);
      expect(contexts[0]?.http?.req.headers.get('x-mine')).toBe('yes');
      await handler.close();
    },
  );
});

describe.each(LOGGED_ROUTES)('the context of a client’s handler over $name', (route) => {
  it('W243 has request, session and connection, and the answers of a round reach the server’s', async () => {
    const contexts: ClientContext[] = [];
    const rounds: unknown[] = [];
    const sample = { messages: [], maxTokens: 1, _meta: META };
    const ask = async ({ mcpReq }: ServerContext): Promise<unknown> => {
      if (route.era === 'legacy') await mcpReq.requestSampling(sample);
      else if (mcpReq.inputResponses === undefined) {
        return inputRequired({
          inputRequests: { q: inputRequired.createMessage(sample) },
          requestState: 'kept',
        });
      }
      rounds.push(mcpReq.inputResponses, mcpReq.requestState());
      return { content: [] };
    };
    const answer = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'y' } };
    const opened = await route.open(
      () => {
        const server = new McpServer({ name: 's', version: '1' });
        server.registerTool('ask', {}, (context) => ask(context) as never);
        return server;
      },
      {
        capabilities: { sampling: {} },
        prepare: (client) =>
          client.setRequestHandler('sampling/createMessage', (_request, context) => {
            contexts.push(context);
            return answer;
          }),
      },
    );
    open.push(opened);
    await opened.client.callTool({ name: 'ask' });
    const isLegacy = route.era === 'legacy';
    expect(rounds).toEqual(isLegacy ? [undefined, undefined] : [{ q: answer }, 'kept']);
    const [context] = contexts;
    expect(contexts).toHaveLength(1);
    const inSession = route.transport === 'http' && isLegacy;
    expect(typeof context?.sessionId).toBe(inSession ? 'string' : 'undefined');
    expect('sessionId' in Object(context)).toBe(inSession);
    expect('http' in Object(context)).toBe(false);
    expect(context?.connection).toBe(opened.client);
    expect(
      kindsOf(Object(context?.mcpReq) as object, ['id', 'method', '_meta', 'signal', 'send', 'notify']),
    ).toEqual({
      id: isLegacy ? 'number' : 'string',
      method: 'string',
      _meta: 'object',
      signal: 'AbortSignal',
      send: 'function',
      notify: 'function',
    });
    expect(context?.mcpReq).toMatchObject({ method: 'sampling/createMessage', _meta: META });
  });
});
