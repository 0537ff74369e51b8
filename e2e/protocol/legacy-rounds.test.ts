import { ProtocolError } from '@portico/rpc';
import {
  type InputRequiredOptions,
  McpServer,
  type ServerContext,
  createMcpHandler,
  inputRequired,
} from '@portico/server';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { httpRequest, post, streamMessages } from '../../testing/mcp-http.ts';
import { openWire } from '../../testing/mcp-wire.ts';
import { LOGGED_ROUTES } from './logged-routes.ts';

const INFO = { name: 'rounds', version: '1' };
const FORM = { message: 'Who?', requestedSchema: { type: 'object' as const, properties: {} } };
const SAMPLE = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }],
  maxTokens: 9,
};
const ANSWERS = {
  form: { action: 'accept', content: {} },
  model: { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' } },
  roots: { roots: [{ uri: 'file:///a' }] },
} as const;
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };

/** What a handler of any kind does: it asks all three at once, then once more, then is done. */
function flow(seen: unknown[], { mcpReq }: ServerContext): unknown {
  const state = mcpReq.requestState();
  seen.push([mcpReq.method, state, mcpReq.inputResponses]);
  if (state === 'checked two') return undefined;
  const inputRequests =
    state === undefined
      ? {
          form: inputRequired.elicit(FORM),
          model: inputRequired.createMessage(SAMPLE),
          roots: inputRequired.listRoots(),
        }
      : { again: inputRequired.listRoots() };
  return inputRequired({ inputRequests, requestState: state === undefined ? 'one' : 'two' });
}

function make(seen: unknown[], run = flow, inputOptions: InputRequiredOptions = {}): McpServer {
  const server = new McpServer(INFO, {
    inputRequired: inputOptions,
    requestState: { verify: (state) => `checked ${state}` },
  });
  server.registerTool('t', {}, (context) => (run(seen, context) ?? { content: [] }) as never);
  server.registerPrompt('p', {}, (context) => (run(seen, context) ?? { messages: [] }) as never);
  server.registerResource(
    'r',
    'test://r',
    {},
    (_uri, context) => (run(seen, context) ?? { contents: [] }) as never,
  );
  return server;
}

const METHODS = [
  ['tools/call', { name: 't' }],
  ['prompts/get', { name: 'p' }],
  ['resources/read', { uri: 'test://r' }],
] as const;

describe.each(LOGGED_ROUTES)('a handler that is written once, $name', (route) => {
  it('W193 is run again with the answers and the checked state until it is done', async () => {
    const seen: unknown[] = [];
    const { client, asked, close } = await route.open(() => make(seen), {
      capabilities: CAPABILITIES,
      prepare(each) {
        each.setRequestHandler('elicitation/create', () => ANSWERS.form);
        each.setRequestHandler('sampling/createMessage', () => ANSWERS.model);
        each.setRequestHandler('roots/list', () => ({ roots: [...ANSWERS.roots.roots] }));
      },
    });
    const ran = (method: string): unknown[] => [
      [method, undefined, undefined],
      [method, 'checked one', ANSWERS],
      [method, 'checked two', { again: ANSWERS.roots }],
    ];
    await client.callTool({ name: 't' });
    await client.getPrompt({ name: 'p' });
    await client.readResource({ uri: 'test://r' });
    expect(seen).toEqual(METHODS.flatMap(([method]) => ran(method)));
    const perCall = ['elicitation/create', 'sampling/createMessage', 'roots/list', 'roots/list'];
    expect(asked()).toEqual(route.era === 'legacy' ? [...perCall, ...perCall, ...perCall] : []);
    await close();
  });
});

const asksForEver = (seen: unknown[]): unknown => {
  seen.push('ran');
  return inputRequired({ inputRequests: { q: inputRequired.listRoots() } });
};

/** A tool tells of its failure in its result, the others by an error. */
const failures = async (
  request: (method: string, params: object) => Promise<Record<string, unknown>>,
): Promise<unknown[]> => {
  const outcomes: unknown[] = [];
  for (const [method, params] of METHODS) outcomes.push(await request(method, params));
  return outcomes;
};
const FAILED = [
  { result: { isError: true } },
  { error: { code: expect.any(Number) as number } },
  { error: { code: expect.any(Number) as number } },
];

describe('questions to a legacy client', () => {
  it('W193 end after eight runs, and when one is not answered within 600 seconds', async () => {
    const seen: unknown[] = [];
    const { client, asked, close } = await LOGGED_ROUTES[0]!.open(() => make(seen, asksForEver), {
      capabilities: { roots: {} },
      prepare: (each) => each.setRequestHandler('roots/list', () => ({ roots: [] })),
    });
    expect(await client.callTool({ name: 't' })).toMatchObject({ isError: true });
    expect([seen.length, asked().length]).toEqual([8, 7]);
    await expect(client.getPrompt({ name: 'p' })).rejects.toBeInstanceOf(ProtocolError);
    await expect(client.readResource({ uri: 'test://r' })).rejects.toBeInstanceOf(ProtocolError);
    expect(seen).toHaveLength(24);
    await close();
    const clock = createManualClock();
    const server = new McpServer(INFO, { clock });
    server.registerTool('t', {}, () => asksForEver([]) as never);
    const wire = await openWire((transport) => server.connect(transport));
    await wire.initialize('2025-11-25', { roots: {} });
    let outcome: unknown;
    const call = wire.result('tools/call', { name: 't' }).then((result) => (outcome = result));
    await wire.next((message) => 'method' in message && message.method === 'roots/list');
    await clock.advance(599_999);
    expect(outcome).toBeUndefined();
    await clock.advance(1);
    expect(await call).toMatchObject({ isError: true });
  });

  it('W193 fail at once, and are never sent, where they are switched off or nobody can be asked', async () => {
    const seen: unknown[] = [];
    const off = await openWire((transport) =>
      make(seen, asksForEver, { legacyShim: false }).connect(transport),
    );
    await off.initialize('2025-11-25', { roots: {} });
    const overPipe = await failures(async (method, params) => ({
      ...(await off.request(method, { ...params })),
    }));
    expect(overPipe).toMatchObject(FAILED);
    expect(JSON.stringify(off.received)).not.toContain('roots/list');
    const stateless = createMcpHandler(() => make(seen, asksForEver));
    const alone = await failures(async (method, params) => {
      return (await post(stateless, { jsonrpc: '2.0', id: 1, method, params })).message;
    });
    expect(alone).toMatchObject(FAILED);
    const asJson = createMcpHandler(() => make(seen, asksForEver), {
      legacy: 'sessions',
      responseMode: 'json',
    });
    const { headers } = await openSession(asJson);
    const inJson = await failures(async (method, params) => {
      return (await post(asJson, { jsonrpc: '2.0', id: 1, method, params }, { headers })).message;
    });
    expect(inJson).toMatchObject(FAILED);
    expect(seen).toHaveLength(9);
    await Promise.all([stateless.close(), asJson.close()]);
  });

  it('W193 go out on the stream of their call', async () => {
    const handler = createMcpHandler(() => make([]), { legacy: 'sessions' });
    const { headers } = await openSession(handler);
    const leaving = new AbortController();
    const own = await handler.fetch(
      httpRequest('', {
        method: 'GET',
        headers: { ...headers, accept: 'text/event-stream' },
        signal: leaving.signal,
      }),
    );
    const call = { jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: 't' } };
    const stream = streamMessages(await handler.fetch(httpRequest(call, { headers })));
    const methods: unknown[] = [];
    let last: unknown;
    for await (const message of stream) {
      last = message;
      const { id, method } = message;
      if (method === undefined) continue;
      methods.push(method);
      const result =
        method === 'roots/list'
          ? ANSWERS.roots
          : method === 'elicitation/create'
            ? ANSWERS.form
            : ANSWERS.model;
      await post(handler, { jsonrpc: '2.0', id, result }, { headers });
    }
    expect(methods).toEqual(['elicitation/create', 'sampling/createMessage', 'roots/list', 'roots/list']);
    expect(last).toMatchObject({ id: 'call', result: { content: [] } });
    await handler.close();
    const strays: unknown[] = [];
    for await (const message of streamMessages(own)) strays.push(message);
    expect(strays).toEqual([]);
  });
});

async function openSession(
  handler: ReturnType<typeof createMcpHandler>,
): Promise<{ readonly headers: Readonly<Record<string, string>> }> {
  const params = { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, clientInfo: INFO };
  const opened = await post(handler, { jsonrpc: '2.0', id: 'open', method: 'initialize', params });
  const headers = {
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
  await post(handler, { jsonrpc: '2.0', method: 'notifications/initialized' }, { headers });
  return { headers };
}
