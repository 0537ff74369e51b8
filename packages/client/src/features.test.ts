import { ProtocolError } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, discovered } from '../../../testing/scripted-server.ts';
import type { ScriptedServer } from '../../../testing/scripted-server.ts';
import { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';
import { getSupportedElicitationModes } from './elicitation-modes.ts';
import type { ClientContext } from './handler-context.ts';

const INFO = { name: 'test', version: '1' };
type Capabilities = NonNullable<ClientOptions['capabilities']>;

/** A server that can ask this client in the way of either era. */
interface Asker {
  readonly client: Client;
  readonly server: ScriptedServer;
  /** What the client answers a question with; rejects with the error it answers. */
  ask(method: string, params?: object): Promise<unknown>;
}

async function legacyAsker(capabilities: Capabilities): Promise<Asker> {
  const clock = createManualClock();
  const server = await createScriptedServer({ clock });
  const client = new Client(INFO, { clock, capabilities });
  await client.connect(server.transport);
  return { client, server, ask: (method, params) => server.peer.request(method, params) };
}

async function modernAsker(capabilities: Capabilities): Promise<Asker> {
  const clock = createManualClock();
  let question: unknown;
  const server = await createScriptedServer({
    clock,
    answers: {
      'server/discover': () => discovered(),
      'tools/call': ({ inputResponses }) =>
        inputResponses === undefined
          ? { resultType: 'input_required', inputRequests: { q: question } }
          : { content: [], structuredContent: inputResponses },
    },
  });
  const client = new Client(INFO, { clock, capabilities, versionNegotiation: { mode: 'auto' } });
  await client.connect(server.transport);
  return {
    client,
    server,
    async ask(method, params) {
      question = params === undefined ? { method } : { method, params };
      const { structuredContent } = await client.callTool({ name: 'x' });
      return (structuredContent as { q: unknown }).q;
    },
  };
}

const ASKERS = { legacy: legacyAsker, modern: modernAsker };
const ERAS = Object.keys(ASKERS) as (keyof typeof ASKERS)[];
const words = { type: 'text', text: 'hi' } as const;
const form = (properties: object, required?: string[]): object => ({
  message: 'm',
  requestedSchema: { type: 'object', properties, ...(required === undefined ? {} : { required }) },
});

describe.each(ERAS)('sampling, %s', (era) => {
  const ask = { messages: [{ role: 'user', content: words }], maxTokens: 5 };
  const answer = { role: 'assistant', model: 'm', content: words } as const;
  const use = { type: 'tool_use', id: '1', name: 't', input: {} } as const;
  const tools = [{ name: 't', inputSchema: { type: 'object' } }];

  it('W180 takes lists of content only with tools, and keeps uses and results together', async () => {
    const asker = await ASKERS[era]({ sampling: { tools: {} } });
    let result: unknown = answer;
    let runs = 0;
    asker.client.setRequestHandler('sampling/createMessage', () => {
      runs += 1;
      return result as never;
    });
    const send = (params: object): Promise<unknown> => asker.ask('sampling/createMessage', params);
    const refused = { code: -32602 };
    expect(await send(ask)).toEqual(answer);
    result = { ...answer, content: [words] };
    await expect(send(ask)).rejects.toMatchObject(refused);
    for (const more of [{ tools }, { toolChoice: { mode: 'auto' } }, { tools: [] }]) {
      expect(await send({ ...ask, ...more })).toEqual(result);
    }
    result = { ...answer, content: [use] };
    expect(await send({ ...ask, tools })).toEqual(result);
    const before = runs;
    const reply = { type: 'tool_result', toolUseId: '1', content: [] };
    const user = (...content: unknown[]): object => ({ role: 'user', content });
    const assistant = (...content: unknown[]): object => ({ role: 'assistant', content });
    expect(await send({ ...ask, tools, messages: [assistant(use), user(reply)] })).toEqual(result);
    expect(runs).toBe(before + 1);
    for (const messages of [
      [assistant(use)],
      [assistant(use), user(words)],
      [assistant(use), user(words), user(reply)],
      [assistant(use), user(reply, words)],
      [user(reply)],
      [assistant(use), user({ ...reply, toolUseId: '2' })],
    ]) {
      await expect(send({ ...ask, tools, messages })).rejects.toMatchObject(refused);
    }
    expect(runs).toBe(before + 1);
  });

  it('is refused with -32602 for tools that are not declared, and for malformed requests', async () => {
    const asker = await ASKERS[era]({ sampling: {} });
    let runs = 0;
    asker.client.setRequestHandler('sampling/createMessage', () => {
      runs += 1;
      return answer;
    });
    for (const params of [
      { ...ask, tools },
      { ...ask, toolChoice: { mode: 'none' } },
      { messages: ask.messages },
      { ...ask, messages: 'hi' },
    ]) {
      await expect(asker.ask('sampling/createMessage', params)).rejects.toMatchObject({ code: -32602 });
    }
    expect(runs).toBe(0);
  });

  it('declined by the handler is told with its code, and is the end of a modern call', async () => {
    const asker = await ASKERS[era]({ sampling: {} });
    asker.client.setRequestHandler('sampling/createMessage', () => {
      throw new ProtocolError(-1, 'the person said no');
    });
    await expect(asker.ask('sampling/createMessage', ask)).rejects.toMatchObject({
      code: -1,
      message: 'the person said no',
    });
    const calls = asker.server.requests.filter((method) => method === 'tools/call');
    expect(calls).toHaveLength(era === 'modern' ? 1 : 0);
  });
});

describe.each(ERAS)('roots, %s', (era) => {
  it('are what the handler gives, file URIs only, and its errors reach the asker', async () => {
    const asker = await ASKERS[era]({ roots: {} });
    let roots: unknown = [];
    asker.client.setRequestHandler('roots/list', () => {
      if (roots === undefined) throw new ProtocolError(-32000, 'locked');
      return { roots } as never;
    });
    expect(await asker.ask('roots/list')).toEqual({ roots: [] });
    roots = [{ uri: 'file:///srv', name: 'srv' }];
    expect(await asker.ask('roots/list')).toEqual({ roots });
    for (const bad of [[{ uri: 'https://a.example/' }], [{ uri: 1 }], 'none']) {
      roots = bad;
      await expect(asker.ask('roots/list')).rejects.toMatchObject({ code: -32603 });
    }
    roots = undefined;
    await expect(asker.ask('roots/list')).rejects.toMatchObject({ code: -32000, message: 'locked' });
  });
});

describe.each(ERAS)('elicitation, %s', (era) => {
  it('delivers forms as they are and takes content with accept alone', async () => {
    const asker = await ASKERS[era]({ elicitation: {} });
    const seen: unknown[] = [];
    let result: unknown;
    asker.client.setRequestHandler('elicitation/create', (request) => {
      seen.push(request.params);
      return result as never;
    });
    const question = form({ name: { type: 'string' } }, ['name']);
    result = { action: 'accept', content: { name: 'Ada' } };
    expect(await asker.ask('elicitation/create', question)).toEqual(result);
    expect(seen).toEqual([question]);
    for (const action of ['decline', 'cancel'] as const) {
      result = { action, content: { name: 'left over' } };
      expect(await asker.ask('elicitation/create', question)).toEqual({ action });
    }
    for (const bad of [
      { action: 'accept' },
      { action: 'accept', content: {} },
      { action: 'accept', content: { name: 1 } },
      { action: 'accept', content: { name: 'x', nested: {} } },
      { action: 'maybe' },
      undefined,
    ]) {
      result = bad;
      await expect(asker.ask('elicitation/create', question)).rejects.toMatchObject({ code: -32602 });
    }
    const nested = form({ address: { type: 'object', properties: {} } });
    await expect(asker.ask('elicitation/create', nested)).rejects.toMatchObject({ code: -32602 });
  });

  it('fills in defaults when the client declares that it does', async () => {
    const question = form({
      a: { type: 'string', default: 'x' },
      b: { type: 'number', default: 3 },
      c: { type: 'boolean' },
    });
    for (const applyDefaults of [true, undefined]) {
      const asker = await ASKERS[era]({ elicitation: { form: { applyDefaults } } });
      asker.client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { b: 1 } }));
      expect(await asker.ask('elicitation/create', question)).toEqual({
        action: 'accept',
        content: applyDefaults === true ? { a: 'x', b: 1 } : { b: 1 },
      });
    }
  });

  it('W186 opens nothing by itself, and declines what is no web address, which it reports', async () => {
    const asker = await ASKERS[era]({ elicitation: { url: {} } });
    const seen: unknown[] = [];
    const reported: unknown[] = [];
    asker.client.onerror = (error) => reported.push(error);
    asker.client.setRequestHandler('elicitation/create', (request) => {
      seen.push(request.params['url']);
      return { action: 'accept', content: { no: 'content' } };
    });
    const page = (url: string): object => ({ mode: 'url', message: 'm', url, elicitationId: 'e' });
    expect(await asker.ask('elicitation/create', page('https://a.example/x?y'))).toEqual({
      action: 'accept',
    });
    const others = ['javascript:alert(1)', 'file:///etc/passwd', 'not a url', 'a.example', 'data:,x'];
    for (const url of others) {
      expect(await asker.ask('elicitation/create', page(url))).toEqual({ action: 'decline' });
    }
    expect(reported).toEqual(others.map(() => expect.objectContaining({ code: -32602 })));
    expect(seen).toEqual(['https://a.example/x?y']);
  });

  it.each([
    [{}, true, false],
    [{ form: {} }, true, false],
    [{ url: {} }, false, true],
    [{ form: {}, url: {} }, true, true],
  ])('is refused in a mode that is not declared: %j', async (elicitation, formMode, urlMode) => {
    expect(getSupportedElicitationModes(elicitation)).toEqual({
      supportsFormMode: formMode,
      supportsUrlMode: urlMode,
    });
    const asker = await ASKERS[era]({ elicitation });
    asker.client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
    const modes: readonly [object, boolean][] = [
      [form({}), formMode],
      [{ ...form({}), mode: 'form' }, formMode],
      [{ mode: 'url', message: 'm', url: 'https://a.example', elicitationId: 'e' }, urlMode],
    ];
    for (const [params, declared] of modes) {
      const outcome = await asker
        .ask('elicitation/create', params)
        .catch((error: unknown) => (error as { code: unknown }).code);
      expect([params, outcome]).toEqual([params, declared ? { action: 'decline' } : -32602]);
    }
  });
});

describe.each(ERAS)('handlers, %s', (era) => {
  it('W194 are told who asks and what before anything happens, and nothing is answered without them', async () => {
    const capabilities = { sampling: {}, elicitation: {}, roots: {} };
    const bare = await ASKERS[era](capabilities);
    const questions: readonly [string, object | undefined][] = [
      ['sampling/createMessage', { messages: [{ role: 'user', content: words }], maxTokens: 1 }],
      ['elicitation/create', form({})],
      ['roots/list', undefined],
    ];
    for (const [method, params] of questions) {
      await expect(bare.ask(method, params)).rejects.toMatchObject({ code: -32601 });
    }
    const asker = await ASKERS[era](capabilities);
    const seen: unknown[] = [];
    const look = (
      request: { readonly method: string; readonly params?: unknown },
      context: ClientContext,
    ): never => {
      seen.push([request.method, request.params]);
      expect(context.connection).toBe(asker.client);
      expect(context.connection.getServerVersion()).toMatchObject({ name: 'scripted' });
      expect(context.mcpReq.method).toBe(request.method);
      expect(context.mcpReq.signal.aborted).toBe(false);
      throw new ProtocolError(-1, 'seen');
    };
    asker.client.setRequestHandler('sampling/createMessage', look);
    asker.client.setRequestHandler('elicitation/create', look);
    asker.client.setRequestHandler('roots/list', look);
    for (const [method, params] of questions) {
      await expect(asker.ask(method, params)).rejects.toMatchObject({ code: -1 });
    }
    expect(seen).toEqual(questions);
  });
});

describe('capabilities of a client', () => {
  it('have to be declared before their handlers and notices', async () => {
    const undeclared = { code: 'CAPABILITY_NOT_SUPPORTED' };
    const client = new Client(INFO);
    for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list'] as const) {
      expect(() => client.setRequestHandler(method, () => ({}) as never)).toThrow(
        expect.objectContaining(undeclared),
      );
    }
    client.registerCapabilities({ roots: {} });
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    const { client: silent, server } = await legacyAsker({ roots: {} });
    await expect(silent.sendRootsListChanged()).rejects.toMatchObject(undeclared);
    expect(server.notifications).toHaveLength(1);
    const { client: telling, server: told } = await legacyAsker({ roots: { listChanged: true } });
    await telling.sendRootsListChanged();
    expect(told.notifications.at(-1)?.method).toBe('notifications/roots/list_changed');
  });

  it('are merged at every depth before a connection and fixed during it', async () => {
    const client = new Client(INFO, { capabilities: { elicitation: { form: {} }, roots: {} } });
    client.registerCapabilities({ elicitation: { url: {} }, extensions: { 'a.example/x': { one: 1 } } });
    client.registerCapabilities({ extensions: { 'a.example/x': { two: 2 } } });
    const server = await createScriptedServer({ clock: createManualClock() });
    await client.connect(server.transport);
    expect(server.messages[0]?.params?.['capabilities']).toEqual({
      elicitation: { form: {}, url: {} },
      roots: {},
      extensions: { 'a.example/x': { one: 1, two: 2 } },
    });
    expect(() => client.registerCapabilities({ sampling: {} })).toThrow(
      expect.objectContaining({ code: 'ALREADY_CONNECTED' }),
    );
  });

  it('name extensions with a prefix, or throw', () => {
    for (const id of ['tasks', '/x', 'a..b/x', 'com.example/']) {
      expect(() => new Client(INFO, { capabilities: { extensions: { [id]: {} } } })).toThrow(TypeError);
      expect(() => new Client(INFO).registerCapabilities({ extensions: { [id]: {} } })).toThrow(TypeError);
    }
  });
});
