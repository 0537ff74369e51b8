import { Client, mergeCapabilities } from '@portico/client';
import type { ClientOptions } from '@portico/client';
import { ProtocolError, createMemoryTransportPair } from '@portico/rpc';
import {
  McpServer,
  Server,
  inputRequired,
  inputResponse,
  mergeCapabilities as serverMerge,
} from '@portico/server';
import type { InputRequests } from '@portico/spec';
import { afterEach, describe, expect, it, vi } from 'vitest';

const INFO = { name: 'test', version: '1' };
const ERAS = ['legacy', 'auto'] as const;
afterEach(() => vi.restoreAllMocks());
type Mode = (typeof ERAS)[number];

/** A server whose one tool asks what it is given and returns the answers. */
function createAsker(questions: () => readonly InputRequests[]): McpServer {
  const server = new McpServer(INFO);
  server.registerTool('ask', {}, ({ mcpReq }) => {
    const rounds = questions();
    const round = Number(mcpReq.requestState() ?? '0');
    const before = round === 0 ? [] : [mcpReq.inputResponses];
    const views = before.map((answers) =>
      Object.keys(rounds[round - 1] ?? {}).map((key) => inputResponse(answers, key)),
    );
    const refused = views.flat().some((view) => view.kind === 'elicit' && view.action !== 'accept');
    const inputRequests = refused ? undefined : rounds[round];
    if (inputRequests !== undefined) return inputRequired({ inputRequests, requestState: String(round + 1) });
    return {
      content: [],
      structuredContent: { round, answers: mcpReq.inputResponses },
    };
  });
  return server;
}

async function open(
  mode: Mode,
  server: McpServer,
  capabilities: NonNullable<ClientOptions['capabilities']>,
): Promise<Client> {
  const [ours, theirs] = createMemoryTransportPair();
  await server.connect(theirs);
  const client = new Client(INFO, { capabilities, versionNegotiation: { mode } });
  await client.connect(ours);
  expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
  return client;
}

/** What the tool gave back. */
async function ask(client: Client): Promise<{ round: number; answers: Record<string, unknown> }> {
  const { structuredContent, isError, content } = await client.callTool({ name: 'ask' });
  expect([isError, content]).toEqual([undefined, expect.any(Array)]);
  return structuredContent as { round: number; answers: Record<string, unknown> };
}

/** Why the call failed: as a tool's own error in the legacy era, at the client in the modern one. */
async function failure(client: Client): Promise<string> {
  try {
    const { isError, content } = await client.callTool({ name: 'ask' });
    return isError === true ? JSON.stringify(content) : 'no failure';
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each(ERAS)('questions from inside a tool, %s', (mode) => {
  it('W179 hand a conversation with every field to the handler, and its answer back', async () => {
    const params = {
      messages: [
        { role: 'user', content: { type: 'text', text: 'a' } },
        { role: 'assistant', content: { type: 'image', data: 'QQ==', mimeType: 'image/png' } },
        { role: 'user', content: { type: 'audio', data: 'QQ==', mimeType: 'audio/wav' } },
      ],
      systemPrompt: 'be kind',
      modelPreferences: {
        hints: [{ name: 'm' }],
        costPriority: 0.1,
        speedPriority: 0.2,
        intelligencePriority: 1,
      },
      includeContext: 'thisServer',
      temperature: 0.5,
      maxTokens: 7,
      stopSequences: ['x'],
      metadata: { any: { thing: 1 } },
      tools: [{ name: 't', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'auto' },
    } as const;
    const question = { method: 'sampling/createMessage', params } as unknown as InputRequests[string];
    const answers = [
      { type: 'text', text: 'b' },
      { type: 'image', data: 'QQ==', mimeType: 'image/png' },
      { type: 'audio', data: 'QQ==', mimeType: 'audio/wav' },
    ] as const;
    for (const content of answers) {
      const client = await open(
        mode,
        createAsker(() => [{ q: question }]),
        {
          sampling: { tools: {}, context: {} },
        },
      );
      const seen: unknown[] = [];
      const answer = { role: 'assistant', content, model: 'm-1', stopReason: 'endTurn' } as const;
      client.setRequestHandler('sampling/createMessage', (request) => {
        seen.push(request.params);
        return answer;
      });
      expect((await ask(client)).answers).toEqual({ q: answer });
      expect(seen).toEqual([params]);
    }
  });

  it('W183 ask a form as it is, one after another, and end when the person does not accept', async () => {
    const form = (message: string, mode?: 'form'): InputRequests => ({
      q: {
        method: 'elicitation/create',
        params: {
          ...(mode === undefined ? {} : { mode }),
          message,
          requestedSchema: {
            type: 'object',
            properties: { name: { type: 'string', title: 'Name', minLength: 1 } },
            required: ['name'],
          },
        },
      },
    });
    const rounds = [form('one'), form('two', 'form'), form('three')];
    for (const [action, reached] of [
      ['accept', 3],
      ['decline', 2],
      ['cancel', 2],
    ] as const) {
      const client = await open(
        mode,
        createAsker(() => rounds),
        { elicitation: {} },
      );
      const seen: unknown[] = [];
      client.setRequestHandler('elicitation/create', (request) => {
        seen.push(request.params);
        const accepts = request.params.message !== 'two' || action === 'accept';
        return accepts ? { action: 'accept', content: { name: 'Ada' } } : { action };
      });
      const { round, answers } = await ask(client);
      expect(round).toBe(reached);
      expect(answers).toEqual({
        q: action === 'accept' ? { action, content: { name: 'Ada' } } : { action },
      });
      expect(seen).toEqual(rounds.slice(0, reached).map(({ q }) => q?.params));
    }
  });

  it('W182 list the roots that the handler gives, none too, and tell its failure or that there are none', async () => {
    const question = (): InputRequests[] => [{ q: inputRequired.listRoots() }];
    for (const roots of [[], [{ uri: 'file:///srv', name: 'srv' }]]) {
      const client = await open(mode, createAsker(question), { roots: {} });
      client.setRequestHandler('roots/list', () => ({ roots }));
      expect((await ask(client)).answers).toEqual({ q: { roots } });
    }
    for (const fault of ['locked', 'no file URI']) {
      const client = await open(mode, createAsker(question), { roots: {} });
      client.setRequestHandler('roots/list', () => {
        if (fault === 'locked') throw new ProtocolError(-32000, 'locked away');
        return { roots: [{ uri: 'https://a.example/' }] };
      });
      expect(await failure(client)).toContain(fault === 'locked' ? 'locked away' : 'file URI');
    }
    const undeclared = await open(mode, createAsker(question), {});
    expect(await failure(undeclared)).toContain('roots');
    const server = createAsker(question);
    const told: string[] = [];
    server.server.setNotificationHandler('notifications/roots/list_changed', () => void told.push('changed'));
    const client = await open(mode, server, { roots: { listChanged: true } });
    const outcome = await client.sendRootsListChanged().then(
      () => 'sent',
      (error: unknown) => (error as { code: unknown }).code,
    );
    expect(outcome).toBe(mode === 'legacy' ? 'sent' : 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION');
    expect(told).toEqual(mode === 'legacy' ? ['changed'] : []);
  });

  it('W186 hand a page to the handler and nothing but its decision back', async () => {
    const page = {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'm', url: 'https://a.example/x', elicitationId: 'e' },
    } as const;
    let fetches = 0;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
      fetches += 1;
      throw new TypeError('no network here');
    });
    for (const action of ['accept', 'decline', 'cancel'] as const) {
      const client = await open(
        mode,
        createAsker(() => [{ q: page }]),
        { elicitation: { url: {} } },
      );
      const seen: unknown[] = [];
      client.setRequestHandler('elicitation/create', (request) => {
        seen.push(request.params);
        return { action, content: { never: 'told' } };
      });
      expect((await ask(client)).answers).toEqual({ q: { action } });
      expect(seen).toMatchObject([{ mode: 'url', message: 'm', url: 'https://a.example/x' }]);
    }
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'not a url', 'data:,x']) {
      const bad = { ...page, params: { ...page.params, url } };
      const client = await open(
        mode,
        createAsker(() => [{ q: bad }]),
        { elicitation: { url: {} } },
      );
      let runs = 0;
      client.setRequestHandler('elicitation/create', () => {
        runs += 1;
        return { action: 'accept' };
      });
      expect([url, await failure(client), runs]).toEqual([url, expect.not.stringMatching('no failure'), 0]);
    }
    expect(fetches).toBe(0);
  });
});

describe.each(ERAS)('what both sides declare, %s', (mode) => {
  it('W60 reaches the other side as it is, also what nobody here knows', async () => {
    const vendor = { 'a.example/x': { deep: [1, { two: null }], empty: {} } };
    const unknown = { experimental: vendor, future: { nested: { a: 1 } } };
    const server = new McpServer(INFO, { capabilities: { ...unknown, tools: {} } as never });
    let seen: unknown;
    server.registerTool('look', {}, ({ mcpReq }) => {
      const envelope = mcpReq.envelope as { clientCapabilities?: unknown } | undefined;
      seen = envelope?.clientCapabilities ?? server.server.getClientCapabilities();
      return { content: [] };
    });
    const capabilities = { ...unknown, roots: {} } as NonNullable<ClientOptions['capabilities']>;
    const client = await open(mode, server, capabilities);
    await client.callTool({ name: 'look' });
    expect(seen).toEqual(capabilities);
    expect(client.getServerCapabilities()).toMatchObject(unknown);
    expect(client.getServerCapabilities()?.prompts).toBeUndefined();
  });
});

describe('declarations', () => {
  const undeclared = { code: 'CAPABILITY_NOT_SUPPORTED' };
  const outcome = (work: () => unknown): Promise<unknown> =>
    Promise.resolve()
      .then(work)
      .then(
        () => 'done',
        (error: unknown) => (error as { code?: unknown }).code,
      );

  it('W56 stand before the handlers and the notices of either side', async () => {
    const client = (capabilities: object): Client => new Client(INFO, { capabilities });
    for (const [method, capability] of [
      ['sampling/createMessage', 'sampling'],
      ['elicitation/create', 'elicitation'],
      ['roots/list', 'roots'],
    ] as const) {
      const register = (side: Client): unknown => side.setRequestHandler(method, () => ({}) as never);
      expect(() => register(client({}))).toThrow(expect.objectContaining(undeclared));
      expect(() => register(client({ [capability]: {} }))).not.toThrow();
    }
    for (const [capabilities, expected] of [
      [{}, undeclared.code],
      [{ roots: {} }, undeclared.code],
      [{ roots: { listChanged: true } }, 'done'],
    ] as const) {
      const open1 = await open('legacy', new McpServer(INFO), capabilities);
      expect(await outcome(() => open1.sendRootsListChanged())).toBe(expected);
    }
    for (const [method, capability] of [
      ['tools/list', 'tools'],
      ['resources/read', 'resources'],
      ['prompts/get', 'prompts'],
      ['completion/complete', 'completions'],
      ['logging/setLevel', 'logging'],
    ] as const) {
      const register = (capabilities: object): void =>
        new Server(INFO, { capabilities }).setRequestHandler(method, () => ({}));
      expect(() => register({})).toThrow(expect.objectContaining(undeclared));
      expect(() => register({ [capability]: {} })).not.toThrow();
    }
    for (const [capability, send] of [
      ['tools', (server: Server) => server.sendToolListChanged()],
      ['resources', (server: Server) => server.sendResourceListChanged()],
      ['prompts', (server: Server) => server.sendPromptListChanged()],
    ] as const) {
      for (const capabilities of [{}, { [capability]: { listChanged: true } }]) {
        const [ours, theirs] = createMemoryTransportPair();
        const server = new Server(INFO, { capabilities });
        await server.connect(theirs);
        await new Client(INFO).connect(ours);
        const declared = Object.keys(capabilities).length > 0;
        expect(await outcome(() => send(server))).toBe(declared ? 'done' : undeclared.code);
      }
    }
  });

  it('W59 are merged at every depth before a connection, and fixed during it, on both sides', async () => {
    expect(serverMerge).toBe(mergeCapabilities);
    const base = Object.freeze({ tools: Object.freeze({ listChanged: true }), logging: {} });
    const more = Object.freeze({ tools: { listChanged: false }, prompts: {} });
    expect(serverMerge(base, more)).toEqual({ tools: { listChanged: false }, logging: {}, prompts: {} });
    expect(base).toEqual({ tools: { listChanged: true }, logging: {} });
    const server = new McpServer(INFO, { capabilities: { extensions: { 'a.example/x': { one: 1 } } } });
    server.server.registerCapabilities({ extensions: { 'a.example/x': { two: 2 } } });
    const client = new Client(INFO, { capabilities: { elicitation: { form: {} } } });
    client.registerCapabilities({ elicitation: { url: {} } });
    const [ours, theirs] = createMemoryTransportPair();
    await server.connect(theirs);
    await client.connect(ours);
    expect(server.server.getClientCapabilities()).toEqual({ elicitation: { form: {}, url: {} } });
    expect(client.getServerCapabilities()).toMatchObject({
      extensions: { 'a.example/x': { one: 1, two: 2 } },
    });
    for (const late of [
      () => client.registerCapabilities({ roots: {} }),
      () => server.server.registerCapabilities({ tools: {} }),
    ]) {
      expect(late).toThrow(expect.objectContaining({ code: 'ALREADY_CONNECTED' }));
    }
  });

  it('W204 of extensions have an id with a prefix and arrive with their settings, in both eras', async () => {
    const extensions = { 'a.example/x': { deep: [1, { two: {} }] }, 'io.modelcontextprotocol/ui': {} };
    for (const mode of ERAS) {
      const server = new McpServer(INFO, { capabilities: { extensions, tools: {} } });
      let seen: unknown;
      server.registerTool('look', {}, ({ mcpReq }) => {
        const envelope = mcpReq.envelope as { clientCapabilities?: unknown } | undefined;
        seen = envelope?.clientCapabilities ?? server.server.getClientCapabilities();
        return { content: [] };
      });
      const client = await open(mode, server, { extensions });
      await client.callTool({ name: 'look' });
      expect(seen).toEqual({ extensions });
      expect(client.getServerCapabilities()?.extensions).toEqual(extensions);
    }
    for (const id of ['x', '/x', 'a.example/', 'a..b/x', '1a/x', 'a.example/x y', '']) {
      const bad = { extensions: { [id]: {} } };
      for (const declare of [
        () => new Client(INFO, { capabilities: bad }),
        () => new Client(INFO).registerCapabilities(bad),
        () => new Server(INFO, { capabilities: bad }),
        () => new Server(INFO).registerCapabilities(bad),
      ]) {
        expect(declare).toThrow(TypeError);
      }
    }
  });
});
