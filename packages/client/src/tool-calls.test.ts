import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, discovered, scriptedTool } from '../../../testing/scripted-server.ts';
import type { ScriptedAnswer, ScriptedServer } from '../../../testing/scripted-server.ts';
import { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';

const INFO = { name: 'test', version: '1' };
const ERAS = ['legacy', 'modern'] as const;
const OUTPUT = {
  type: 'object',
  required: ['t'],
  properties: { t: { type: 'number' } },
  additionalProperties: false,
};

interface World {
  readonly client: Client;
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
}

async function open(
  era: (typeof ERAS)[number],
  answers: Readonly<Record<string, ScriptedAnswer>>,
  options: ClientOptions = {},
): Promise<World> {
  const clock = createManualClock();
  const probe: Record<string, ScriptedAnswer> =
    era === 'modern' ? { 'server/discover': () => discovered() } : {};
  const server = await createScriptedServer({ clock, answers: { ...probe, ...answers } });
  const client = new Client(INFO, { clock, versionNegotiation: { mode: 'auto' }, ...options });
  await client.connect(server.transport);
  expect(client.getProtocolEra()).toBe(era);
  return { client, server, clock };
}

const tool = (name: string, outputSchema?: unknown): Record<string, unknown> => ({
  ...scriptedTool(name),
  ...(outputSchema === undefined ? {} : { outputSchema }),
});
const text = [{ type: 'text', text: 'x' }];
const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'fine',
    (error: unknown) => (error as { code: unknown }).code,
  );

describe.each(ERAS)('the structured results of tools, %s', (era) => {
  it('W145 field-D17 are checked against the output schema, unless they say that they are errors', async () => {
    let result: object = {};
    const { client } = await open(era, {
      'tools/list': () => ({ tools: [tool('w', OUTPUT), tool('free')] }),
      'tools/call': () => result,
    });
    await client.listTools();
    const call = async (given: object, name = 'w'): Promise<unknown> => {
      result = given;
      return code(client.callTool({ name }));
    };
    for (const good of [
      { content: text, structuredContent: { t: 1 } },
      { content: [], structuredContent: { t: 1 }, _meta: { 'a.example/b': 1 }, other: 'member' },
      { isError: true, content: text },
      { isError: true, content: text, structuredContent: { error: 'x' } },
    ]) {
      expect([good, await call(good)]).toEqual([good, 'fine']);
    }
    for (const bad of [
      { content: text },
      { content: [], structuredContent: { t: 'hot' } },
      { content: [], structuredContent: { t: 1, more: 2 } },
      { content: [], structuredContent: {} },
      { isError: false, content: text },
    ]) {
      expect([bad, await call(bad)]).toEqual([bad, 'INVALID_RESULT']);
    }
    expect(await call({ content: text, structuredContent: { t: 'hot' } }, 'free')).toBe('fine');
    expect(await call({ content: text }, 'unlisted')).toBe('fine');
  });

  it('W145 count as present when they are empty, false, zero or null', async () => {
    const schemas = { string: '', boolean: false, number: 0, null: null };
    let value: unknown;
    const { client } = await open(era, {
      'tools/list': () => ({
        tools: [...Object.keys(schemas), 'array'].map((type) => tool(type, { type })),
      }),
      'tools/call': () => ({ content: [], structuredContent: value }),
    });
    await client.listTools();
    for (const [type, falsy] of Object.entries(schemas)) {
      value = falsy;
      expect([type, await code(client.callTool({ name: type }))]).toEqual([type, 'fine']);
      expect(await code(client.callTool({ name: 'array' }))).toBe('INVALID_RESULT');
      expect(await client.callTool({ name: type })).toMatchObject({ structuredContent: falsy });
    }
    value = undefined;
    expect(await code(client.callTool({ name: 'null' }))).toBe('INVALID_RESULT');
  });

  it('are checked by what the caller says about the tool, and by a validator of the caller', async () => {
    const { client } = await open(
      era,
      { 'tools/call': () => ({ content: [], structuredContent: { t: 'hot' } }) },
      {
        jsonSchemaValidator: {
          getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'too hot' }),
        },
      },
    );
    const toolDefinition = { name: 'w', inputSchema: { type: 'object' as const }, outputSchema: OUTPUT };
    await expect(client.callTool({ name: 'w' }, { toolDefinition })).rejects.toMatchObject({
      code: 'INVALID_RESULT',
      message: expect.stringContaining('too hot') as string,
    });
    expect(await code(client.callTool({ name: 'w' }))).toBe('fine');
  });
});

describe.each(ERAS)('the catalogue of tools, %s', (era) => {
  const bad = { content: [], structuredContent: { t: 'hot' } };

  it('W150 field-D19 changes only as a whole, after a whole list was read', async () => {
    let answer: 'whole' | 'fails later' | 'no list' | 'fails' | 'unusable' = 'whole';
    const { client } = await open(era, {
      'tools/list': ({ cursor }) => {
        if (answer === 'fails') throw new TypeError('down');
        if (answer === 'no list') return { tools: 'none' };
        if (answer === 'unusable') return { tools: [tool('w', { $ref: '#/$defs/none' })] };
        if (cursor === undefined) return { tools: [tool('w', OUTPUT)], nextCursor: 'p2' };
        if (answer === 'fails later') throw new TypeError('down');
        return { tools: [tool('v', OUTPUT)] };
      },
      'tools/call': () => bad,
    });
    const rejects = async (name: string): Promise<void> =>
      expect(await code(client.callTool({ name }))).toBe('INVALID_RESULT');
    await client.listTools();
    expect((await client.listTools({ cursor: 'p2' })).tools.map(({ name }) => name)).toEqual(['v']);
    await rejects('w');
    for (const next of ['fails later', 'no list', 'fails'] as const) {
      answer = next;
      await expect(client.listTools(undefined, { cacheMode: 'refresh' })).rejects.toMatchObject({
        code: expect.anything() as unknown,
      });
      await rejects('w');
      await rejects('v');
    }
    answer = 'whole';
    await client.listTools(undefined, { cacheMode: 'bypass' });
    await rejects('w');
    answer = 'unusable';
    await client.listTools();
    expect(await code(client.callTool({ name: 'w' }))).toBe('INVALID_SCHEMA');
  });

  it('W150 field-D19 lets a call end with the entry it began with', async () => {
    let schema: unknown = OUTPUT;
    let finish: (result: unknown) => void = () => undefined;
    const { client, clock } = await open(era, {
      'tools/list': () => ({ tools: [tool('w', schema)] }),
      'tools/call': () => new Promise((resolve) => (finish = resolve)),
    });
    await client.listTools();
    const old = code(client.callTool({ name: 'w' }));
    await clock.advance(0);
    schema = { type: 'object' };
    await client.listTools();
    finish(bad);
    expect(await old).toBe('INVALID_RESULT');
    const renewed = code(client.callTool({ name: 'w' }));
    await clock.advance(0);
    finish(bad);
    expect(await renewed).toBe('fine');
  });
});

describe('the tasks of revision 2025-11-25', () => {
  it('W203 are words only: types, no service, no request, and a clear end for tools that insist', async () => {
    const { client, server } = await open('legacy', {
      'tools/list': () => ({
        tools: [{ ...tool('slow'), execution: { taskSupport: 'required' } }, tool('free')],
      }),
      'tools/call': () => ({ content: text }),
    });
    await client.listTools();
    const refused = { code: 'CAPABILITY_NOT_SUPPORTED', data: { capability: 'tasks' } };
    await expect(client.callTool({ name: 'slow' })).rejects.toMatchObject(refused);
    await expect(client.callTool({ name: 'free', task: { ttl: 1 } })).rejects.toMatchObject(refused);
    expect(await code(client.callTool({ name: 'free' }))).toBe('fine');
    expect(JSON.stringify(server.messages)).not.toContain('"task"');
    for (const method of ['tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel']) {
      await expect(server.peer.request(method, { taskId: 't' })).rejects.toMatchObject({ code: -32601 });
    }
    await server.peer.notify('notifications/tasks/status', { taskId: 't', status: 'working' });
    expect(await code(client.callTool({ name: 'free' }))).toBe('fine');
  });

  it('reach a modern client as plain descriptions', async () => {
    const { client } = await open('modern', {
      'tools/list': () => ({ tools: [{ ...tool('slow'), execution: { taskSupport: 'required' } }] }),
      'tools/call': () => ({ content: text }),
    });
    await client.listTools();
    expect(await code(client.callTool({ name: 'slow' }))).toBe('fine');
  });
});

describe('the official server 2.4.0', () => {
  it('W145 has its results checked, and is believed when they fit', async () => {
    const official = createRequire(import.meta.url)('@modelcontextprotocol/server') as {
      McpServer: new (info: object) => {
        connect(transport: unknown): Promise<void>;
        registerTool(name: string, config: object, handler: () => object): void;
      };
      InMemoryTransport: { createLinkedPair(): [never, never] };
    };
    const { z } = await import('zod');
    const server = new official.McpServer({ name: 'official', version: '2' });
    server.registerTool('w', { outputSchema: z.object({ t: z.number() }) }, () => ({
      content: [],
      structuredContent: { t: 1 },
    }));
    const [ours, theirs] = official.InMemoryTransport.createLinkedPair();
    await server.connect(theirs);
    const client = new Client(INFO);
    await client.connect(ours);
    const { tools } = await client.listTools();
    expect(tools[0]?.outputSchema).toMatchObject({ type: 'object' });
    expect(await client.callTool({ name: 'w' })).toMatchObject({ structuredContent: { t: 1 } });
    const toolDefinition = { ...tools[0], outputSchema: { type: 'object', required: ['other'] } } as never;
    expect(await code(client.callTool({ name: 'w' }, { toolDefinition }))).toBe('INVALID_RESULT');
    await client.close();
  });
});
