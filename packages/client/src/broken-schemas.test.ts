import { DefaultJsonSchemaValidator } from '@portico/spec/json-schema/default';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, discovered, scriptedTool } from '../../../testing/scripted-server.ts';
import type { ScriptedServer } from '../../../testing/scripted-server.ts';
import { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';

const ERAS = ['legacy', 'modern'] as const;
const GOOD = { type: 'object', required: ['t'], properties: { t: { type: 'number' } } };
const RESULT = { content: [], structuredContent: { t: 1 } };

const nested = (levels: number): object => {
  let schema: object = { type: 'object' };
  for (let level = 0; level < levels; level++) schema = { allOf: [schema] };
  return schema;
};
const many = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${String(at)}`, { type: 'string' }]));

/** Ways to break a schema, each with a word of the reason that a person needs. */
const BROKEN: readonly [way: string, schema: object, reason: RegExp][] = [
  [
    'a part that is missing',
    { type: 'object', properties: { r: { $ref: '#/$defs/R' } } },
    /\$defs\/R|not in it/,
  ],
  [
    'a part on another machine',
    { $ref: 'https://internal.example.com/s.json' },
    /internal\.example\.com|fetched/,
  ],
  ['an unknown dialect', { $schema: 'https://example.com/own-dialect', type: 'object' }, /dialect/],
  ['more levels than are looked at', nested(200), /large|deep|levels/],
  ['2,500 parts', { type: 'object', properties: many(2_500) }, /large|parts|schemas/],
  ['a keyword of the wrong kind', { type: 'object', required: 'all' }, /required|keyword/i],
  ['a circle', { $ref: '#' }, /itself|loop/i],
  [
    'a pattern that could run for ever',
    { properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
    /pattern/i,
  ],
];

interface World {
  readonly client: Client;
  readonly server: ScriptedServer;
  readonly calls: () => unknown[];
}

async function open(
  era: (typeof ERAS)[number],
  middle: () => object,
  options: ClientOptions = {},
): Promise<World> {
  const clock = createManualClock();
  const server = await createScriptedServer({
    clock,
    answers: {
      ...(era === 'modern' ? { 'server/discover': () => discovered() } : {}),
      'tools/list': () => ({
        tools: [
          { ...scriptedTool('a'), outputSchema: GOOD },
          { ...scriptedTool('b'), outputSchema: middle() },
          { ...scriptedTool('c'), outputSchema: GOOD },
        ],
      }),
      'tools/call': () => RESULT,
    },
  });
  const client = new Client(
    { name: 'test', version: '1' },
    { clock, versionNegotiation: { mode: 'auto' }, ...options },
  );
  await client.connect(server.transport);
  expect(client.getProtocolEra()).toBe(era);
  const calls = (): unknown[] =>
    server.messages.filter(({ method }) => method === 'tools/call').map(({ params }) => params?.['name']);
  return { client, server, calls };
}

/** The platform's validator, which counts. */
function counting(): { readonly compiled: unknown[]; readonly options: ClientOptions } {
  const compiled: unknown[] = [];
  const inner = new DefaultJsonSchemaValidator();
  return {
    compiled,
    options: {
      jsonSchemaValidator: {
        getValidator: (schema) => {
          compiled.push(schema);
          return inner.getValidator(schema);
        },
      },
    },
  };
}

afterEach(() => vi.unstubAllGlobals());

describe.each(ERAS)('a list whose second tool has a broken schema, %s', (era) => {
  it.each(BROKEN)('W148 with %s costs the calls of that tool alone', async (_way, schema, reason) => {
    const fetched = vi.fn<typeof fetch>();
    vi.stubGlobal('fetch', fetched);
    const { client, calls } = await open(era, () => schema);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    for (let round = 0; round < 2; round++) {
      const failure: unknown = await client.callTool({ name: 'b' }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'INVALID_SCHEMA', data: { tool: 'b' } });
      const { message } = failure as Error;
      expect(message).toMatch(reason);
      expect(message).toMatch(/\bb\b/);
      expect(message.length).toBeLessThan(500);
    }
    expect(calls()).toEqual([]);
    expect(await client.callTool({ name: 'a' })).toMatchObject(RESULT);
    expect(await client.callTool({ name: 'c' })).toMatchObject(RESULT);
    expect(calls()).toEqual(['a', 'c']);
    expect(fetched).not.toHaveBeenCalled();
    await client.close();
  });

  it('W148 makes nothing of schemas before their tool is called, and then once', async () => {
    const { compiled, options } = counting();
    const { client } = await open(era, () => ({ $ref: '#' }), options);
    await client.listTools();
    expect(compiled).toEqual([]);
    await client.callTool({ name: 'c' });
    await client.callTool({ name: 'c' });
    expect(compiled).toEqual([GOOD]);
    for (let round = 0; round < 2; round++) {
      await expect(client.callTool({ name: 'b' })).rejects.toMatchObject({ code: 'INVALID_SCHEMA' });
    }
    expect(compiled).toEqual([GOOD, { $ref: '#' }]);
    await client.close();
  });

  it('W148 works again with the list that mends it', async () => {
    let schema: object = { $ref: '#/$defs/R' };
    const { client, calls } = await open(era, () => schema);
    await client.listTools();
    await expect(client.callTool({ name: 'b' })).rejects.toMatchObject({ code: 'INVALID_SCHEMA' });
    schema = { ...schema, $defs: { R: GOOD } };
    await client.listTools(undefined, { cacheMode: 'refresh' });
    expect(await client.callTool({ name: 'b' })).toMatchObject(RESULT);
    expect(calls()).toEqual(['b']);
    await client.close();
  });

  it.each([
    ['draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', ...GOOD }],
    ['2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema', ...GOOD }],
    ['itself in deeper places', { ...GOOD, properties: { t: {}, kids: { items: { $ref: '#' } } } }],
  ])('W148 is not broken by %s', async (_what, schema) => {
    const { client } = await open(era, () => schema);
    await client.listTools();
    expect(await client.callTool({ name: 'b' })).toMatchObject(RESULT);
    await client.close();
  });
});
