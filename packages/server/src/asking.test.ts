import { ProtocolError } from '@portico/rpc';
import { UrlElicitationRequiredError } from '@portico/spec';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { modern, openWire, type Wire } from '../../../testing/mcp-wire.ts';
import type { ServerContext } from './context.ts';
import { acceptedContent, inputRequired, inputResponse } from './input-required.ts';
import { McpServer } from './mcp/mcp-server.ts';

const ALL = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
const FORM = {
  message: 'Who?',
  requestedSchema: { type: 'object' as const, properties: { name: { type: 'string' as const } } },
};
const PAGE = { mode: 'url' as const, message: 'Open', url: 'https://example.test/x', elicitationId: 'e1' };
const SAMPLE = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }],
  maxTokens: 9,
};
const TOOLS = [{ name: 't', inputSchema: { type: 'object' as const } }];

/** A server with one tool, whose outcome the test says. */
function asking(run: (ctx: ServerContext) => unknown): McpServer {
  const server = new McpServer({ name: 'asks', version: '1' });
  server.registerTool('ask', {}, async (ctx) => {
    const outcome = await run(ctx);
    if (typeof outcome === 'object' && outcome !== null && 'resultType' in outcome) return outcome as never;
    return { content: [{ type: 'text', text: JSON.stringify(outcome ?? null) }] };
  });
  return server;
}

async function legacy(server: McpServer, capabilities: object = ALL, version = '2025-11-25'): Promise<Wire> {
  const wire = await openWire((transport) => server.connect(transport));
  await wire.initialize(version, capabilities);
  return wire;
}

const requestsOf = (wire: Wire): string[] =>
  wire.received.flatMap((message) => ('method' in message && 'id' in message ? [message.method] : []));

/** Calls the tool, answers what the server asks with `answers` in turn, and gives the result. */
async function callAndAnswer(
  wire: Wire,
  answers: readonly object[],
): Promise<{ result: Record<string, unknown>; asked: object[] }> {
  const result = wire.result('tools/call', { name: 'ask' });
  const asked: object[] = [];
  for (const answer of answers) {
    const seen = asked.length;
    await vi.waitFor(() => expect(requestsOf(wire).length).toBeGreaterThan(seen));
    const request = wire.received.filter((message) => 'method' in message && 'id' in message)[seen] as {
      id: string;
      params: object;
    };
    asked.push(request.params);
    await wire.send({ jsonrpc: '2.0', id: request.id, ...answer } as never);
  }
  return { result: await result, asked };
}

type Ask = (ctx: ServerContext) => Promise<unknown>;
const ASKS: Readonly<Record<string, readonly [capabilities: object, Ask]>> = {
  form: [{ elicitation: { url: {} } }, (ctx) => ctx.mcpReq.elicitInput(FORM)],
  page: [{ elicitation: {} }, (ctx) => ctx.mcpReq.elicitInput(PAGE)],
  'no elicitation': [{}, (ctx) => ctx.mcpReq.elicitInput(FORM)],
  sampling: [{}, (ctx) => ctx.mcpReq.requestSampling(SAMPLE)],
  'sampling tools': [{ sampling: {} }, (ctx) => ctx.mcpReq.requestSampling({ ...SAMPLE, tools: TOOLS })],
  'tool choice': [
    { sampling: {} },
    (ctx) => ctx.mcpReq.requestSampling({ ...SAMPLE, toolChoice: { mode: 'auto' } }),
  ],
  context: [
    { sampling: {} },
    (ctx) => ctx.mcpReq.requestSampling({ ...SAMPLE, includeContext: 'allServers' }),
  ],
  roots: [{}, (ctx) => ctx.mcpReq.send({ method: 'roots/list' })],
};

const EMBEDDED: Readonly<Record<string, Parameters<typeof inputRequired>[0]['inputRequests']>> = {
  form: { q: inputRequired.elicit(FORM) },
  page: { q: inputRequired.elicitUrl({ message: 'Open', url: 'https://example.test/x' }) },
  'no elicitation': { q: inputRequired.elicit(FORM) },
  sampling: { q: inputRequired.createMessage(SAMPLE) },
  'sampling tools': { q: inputRequired.createMessage({ ...SAMPLE, tools: TOOLS }) },
  'tool choice': { q: inputRequired.createMessage({ ...SAMPLE, toolChoice: { mode: 'auto' } }) },
  context: { q: inputRequired.createMessage({ ...SAMPLE, includeContext: 'allServers' }) },
  roots: { q: inputRequired.listRoots() },
};

describe('asking a client', () => {
  it.each(Object.entries(ASKS))(
    'W55 sends nothing that was not declared: %s',
    async (name, [capabilities, ask]) => {
      let code: unknown;
      const server = asking((ctx) =>
        ask(ctx).catch((error: unknown) => void (code = (error as { code: unknown }).code)),
      );
      const wire = await legacy(server, capabilities);
      await wire.result('tools/call', { name: 'ask' });
      expect(code).toBe('CAPABILITY_NOT_SUPPORTED');
      expect(requestsOf(wire)).toEqual([]);
      const embedded = (): unknown => inputRequired({ inputRequests: EMBEDDED[name]! });
      const old = await legacy(asking(embedded), capabilities);
      expect(await old.result('tools/call', { name: 'ask' })).toMatchObject({ isError: true });
      expect(requestsOf(old)).toEqual([]);
      const fresh = await openWire((transport) => asking(embedded).connect(transport));
      expect((await fresh.error('tools/call', modern({ name: 'ask' }, { capabilities }))).code).toBe(-32_021);
    },
  );

  it('sends nothing that the revision does not have, or that breaks the rules of its kind', async () => {
    const codes: unknown[] = [];
    const tries: readonly (readonly [version: string, ask: Ask])[] = [
      ['2025-03-26', (ctx) => ctx.mcpReq.elicitInput(FORM)],
      ['2025-06-18', (ctx) => ctx.mcpReq.elicitInput(PAGE)],
      ['2025-11-25', (ctx) => ctx.mcpReq.elicitInput({ ...PAGE, url: 'javascript:alert(1)' })],
      [
        '2025-11-25',
        (ctx) =>
          ctx.mcpReq.elicitInput({
            ...FORM,
            requestedSchema: { type: 'object', properties: { a: { type: 'object' } as never } },
          }),
      ],
      [
        '2025-11-25',
        (ctx) =>
          ctx.mcpReq.requestSampling({
            ...SAMPLE,
            messages: [{ role: 'user', content: { type: 'tool_result', toolUseId: 'x', content: [] } }],
          }),
      ],
    ];
    for (const [version, ask] of tries) {
      const server = asking((ctx) =>
        ask(ctx).catch((error: unknown) => void codes.push((error as { code: unknown }).code)),
      );
      const wire = await legacy(server, ALL, version);
      await wire.result('tools/call', { name: 'ask' });
      expect(requestsOf(wire)).toEqual([]);
    }
    expect(codes).toEqual([
      'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
      'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
      'INVALID_INPUT_REQUEST',
      'INVALID_INPUT_REQUEST',
      'INVALID_INPUT_REQUEST',
    ]);
  });

  it('takes only answers that fit the question', async () => {
    const outcomes: unknown[] = [];
    const note = (ask: Ask): McpServer =>
      asking((ctx) =>
        ask(ctx).then(
          (value) => outcomes.push(value),
          (error: unknown) => outcomes.push((error as { code: unknown }).code),
        ),
      );
    const text = { type: 'text', text: 'yes' };
    const message = { role: 'assistant', model: 'm', content: text };
    const cases: readonly (readonly [Ask, object])[] = [
      [(ctx) => ctx.mcpReq.elicitInput(FORM), { result: { action: 'accept', content: { name: 'Ada' } } }],
      [(ctx) => ctx.mcpReq.elicitInput(FORM), { result: { action: 'accept', content: { name: 5 } } }],
      [(ctx) => ctx.mcpReq.elicitInput(FORM), { result: { action: 'decline' } }],
      [(ctx) => ctx.mcpReq.elicitInput(FORM), { result: { yes: true } }],
      [(ctx) => ctx.mcpReq.requestSampling(SAMPLE), { result: message }],
      [(ctx) => ctx.mcpReq.requestSampling(SAMPLE), { result: { ...message, content: [text, text] } }],
      [
        (ctx) => ctx.mcpReq.requestSampling({ ...SAMPLE, tools: TOOLS }),
        { result: { ...message, content: [text, text] } },
      ],
      [(ctx) => ctx.mcpReq.requestSampling(SAMPLE), { error: { code: -1, message: 'User rejected' } }],
    ];
    for (const [ask, answer] of cases) await callAndAnswer(await legacy(note(ask)), [answer]);
    expect(outcomes).toMatchObject([
      { action: 'accept', content: { name: 'Ada' } },
      -32_602,
      { action: 'decline' },
      -32_602,
      message,
      -32_602,
      { content: [text, text] },
      -1,
    ]);
  });
});

describe('pages that are required first', () => {
  const thrown = (): never => {
    throw new UrlElicitationRequiredError([PAGE], 'open it');
  };

  it('W187 arrive as -32042 in 2025-11-25, and the call made again succeeds', async () => {
    let opened = false;
    const server = asking(() => (opened ? 'done' : thrown()));
    const wire = await legacy(server);
    const error = await wire.error('tools/call', { name: 'ask' });
    expect(error).toMatchObject({ code: -32_042, data: { elicitations: [PAGE] } });
    opened = true;
    await server.server.createElicitationCompletionNotifier('e1')();
    expect(
      await wire.next(
        (message) => 'method' in message && message.method === 'notifications/elicitation/complete',
      ),
    ).toMatchObject({
      params: { elicitationId: 'e1' },
    });
    expect(await wire.result('tools/call', { name: 'ask' })).toMatchObject({ content: [{ text: '"done"' }] });
  });

  it('W187 are an error result in older revisions, which hear of no end either', async () => {
    for (const version of ['2025-06-18', '2025-03-26', '2024-11-05']) {
      const server = asking(thrown);
      const wire = await legacy(server, ALL, version);
      expect(await wire.result('tools/call', { name: 'ask' })).toMatchObject({
        isError: true,
        content: [{ text: 'open it' }],
      });
      await expect(server.server.createElicitationCompletionNotifier('e1')()).rejects.toMatchObject({
        code: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
      });
    }
  });

  it('W189 never show as -32042 in the modern era; other interim results are checked', async () => {
    const capabilities = ALL;
    const call = async (run: () => unknown): Promise<unknown> => {
      const wire = await openWire((transport) => asking(run).connect(transport));
      return wire.request('tools/call', modern({ name: 'ask' }, { capabilities }));
    };
    expect(JSON.stringify(await call(thrown))).not.toContain('-32042,"message"');
    expect(await call(thrown)).toMatchObject({ result: { isError: true } });
    expect(() => inputRequired({})).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT_REQUEST' }) as Error,
    );
    expect(() => inputRequired({ inputRequests: {} })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT_REQUEST' }) as Error,
    );
    expect(await call(() => ({ resultType: 'input_required' }))).toMatchObject({ error: { code: -32_603 } });
    expect(await call(() => inputRequired({ requestState: 's' }))).toMatchObject({
      result: { resultType: 'input_required', requestState: 's' },
    });
    expect(await call(() => inputRequired({ inputRequests: EMBEDDED['page']! }))).toMatchObject({
      result: { inputRequests: { q: { params: { mode: 'url', url: 'https://example.test/x' } } } },
    });
    const server = new McpServer({ name: 'low', version: '1' }, { capabilities: { tools: {} } });
    server.server.setRequestHandler('tools/list', () => inputRequired({ requestState: 's' }));
    const wire = await openWire((transport) => server.connect(transport));
    expect((await wire.error('tools/list', modern())).code).toBe(-32_603);
  });
});

it('W190 takes answers for what they are: wrong and wrapped ones are dropped and named', async () => {
  const seen: unknown[] = [];
  const schema = z.object({ name: z.string().min(2) });
  const server = asking((ctx) => {
    const { inputResponses, droppedInputResponseKeys } = ctx.mcpReq;
    seen.push({
      kinds: ['form', 'model', 'roots', 'wrapped', 'none'].map(
        (key) => inputResponse(inputResponses, key).kind,
      ),
      dropped: droppedInputResponseKeys,
      name: acceptedContent(inputResponses, 'form', schema),
      raw: acceptedContent(inputResponses, 'form'),
    });
    return inputRequired({
      inputRequests: { form: inputRequired.elicit({ message: 'Who?', requestedSchema: schema }) },
    });
  });
  const wire = await openWire((transport) => server.connect(transport));
  const form = (content: unknown): object => ({ action: 'accept', content });
  const message = { role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } };
  const round = (inputResponses: unknown): Promise<Record<string, unknown>> =>
    wire.result('tools/call', modern({ name: 'ask', inputResponses }, { capabilities: ALL }));
  await round({
    form: form({ name: 'Ada' }),
    model: message,
    roots: { roots: [] },
    wrapped: { method: 'elicitation/create', result: form({}) },
    extra: form({}),
  });
  const again = await round({
    form: form({ name: 'A' }),
    model: 'text',
    roots: null,
    wrapped: [form({})],
    __proto__: form({}),
  });
  await round('nothing');
  expect(again).toMatchObject({
    resultType: 'input_required',
    inputRequests: { form: { method: 'elicitation/create' } },
  });
  expect(seen).toEqual([
    {
      kinds: ['elicit', 'sampling', 'roots', 'missing', 'missing'],
      dropped: ['wrapped'],
      name: { name: 'Ada' },
      raw: { name: 'Ada' },
    },
    {
      kinds: ['elicit', 'missing', 'missing', 'missing', 'missing'],
      dropped: ['model', 'roots', 'wrapped'],
      name: undefined,
      raw: { name: 'A' },
    },
    {
      kinds: ['missing', 'missing', 'missing', 'missing', 'missing'],
      dropped: undefined,
      name: undefined,
      raw: undefined,
    },
  ]);
});

it('keeps number and data of a protocol error that a tool throws', async () => {
  const server = asking(() => {
    throw new ProtocolError(-32_007, 'no', { a: 1 });
  });
  expect(await (await legacy(server)).result('tools/call', { name: 'ask' })).toMatchObject({
    isError: true,
    _meta: { 'portico/error': { code: -32_007, data: { a: 1 } } },
  });
});
