// oxlint-disable vitest/no-conditional-expect -- tables hold what is wanted of each row
import { McpServer } from '@portico/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createScriptedServer, discovered } from '../../testing/scripted-server.ts';
import { Client } from '@portico/client';
import { LOGGED_ROUTES } from './logged-routes.ts';

const OUTPUT = {
  type: 'object' as const,
  required: ['t'],
  properties: { t: { type: 'number' } },
  additionalProperties: false,
};
const inDialect = ($schema: string, more: object = {}): object => ({ $schema, ...OUTPUT, ...more });

const nested = (levels: number): object =>
  Array.from({ length: levels }).reduce<object>((inner) => ({ allOf: [inner] }), OUTPUT);

/** Schemas of the second of three tools: whether its results can be checked. */
const SECOND: readonly (readonly [name: string, schema: object, usable: boolean])[] = [
  ['a reference that leads nowhere', { type: 'object', properties: { r: { $ref: '#/$defs/R' } } }, false],
  ['draft-07', inDialect('http://json-schema.org/draft-07/schema#'), true],
  ['2020-12', inDialect('https://json-schema.org/draft/2020-12/schema'), true],
  ['a dialect of its own', inDialect('https://dialect.example.com/schema'), false],
  [
    'recursion',
    { ...OUTPUT, properties: { t: { type: 'number' }, kids: { type: 'array', items: { $ref: '#' } } } },
    true,
  ],
  [
    'a schema elsewhere',
    { type: 'object', properties: { t: { $ref: 'https://internal.example.com/s.json' } } },
    false,
  ],
  // Deeper than 512 levels no message may be at all (rule W253).
  ['200 nested allOf', nested(200), false],
  ['2,001 schemas in one allOf', { ...OUTPUT, allOf: Array.from({ length: 2_001 }, () => ({})) }, false],
];

describe.each(['legacy', 'modern'] as const)('three tools, %s', (era) => {
  afterEach(() => vi.restoreAllMocks());

  it.each(SECOND)(
    'field-D15 are listed, and checked one by one: the second has %s',
    async (_name, schema, usable) => {
      const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network here'));
      const clock = createManualClock();
      let value: unknown = { t: 1 };
      const tool = (name: string, outputSchema: object): object => ({
        name,
        inputSchema: { type: 'object' },
        outputSchema,
      });
      const server = await createScriptedServer({
        clock,
        answers: {
          ...(era === 'modern' ? { 'server/discover': () => discovered() } : {}),
          'tools/list': () => ({
            resultType: 'complete',
            tools: [tool('a', OUTPUT), tool('b', schema), tool('c', OUTPUT)],
          }),
          'tools/call': () => ({ resultType: 'complete', content: [], structuredContent: value }),
        },
      });
      const client = new Client(
        { name: 'three', version: '1' },
        { clock, versionNegotiation: { mode: 'auto' } },
      );
      await client.connect(server.transport);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
      expect(tools[1]?.outputSchema).toEqual(schema);
      const outcome = (name: string): Promise<unknown> =>
        client.callTool({ name }).then(
          () => 'fine',
          (error: unknown) => (error as { code: unknown }).code,
        );
      expect([await outcome('a'), await outcome('b'), await outcome('c')]).toEqual([
        'fine',
        usable ? 'fine' : 'INVALID_SCHEMA',
        'fine',
      ]);
      value = { t: 'hot' };
      expect([await outcome('a'), await outcome('b'), await outcome('c')]).toEqual([
        'INVALID_RESULT',
        usable ? 'INVALID_RESULT' : 'INVALID_SCHEMA',
        'INVALID_RESULT',
      ]);
      expect(fetched).not.toHaveBeenCalled();
      await client.close();
    },
  );
});

/** What the handler of `w` does, and what its caller gets. */
const OUTCOMES: readonly (readonly [name: string, run: () => object, wanted: object])[] = [
  [
    'an error',
    () => ({ isError: true, content: [{ type: 'text', text: 'real' }] }),
    { isError: true, content: [{ text: 'real' }] },
  ],
  [
    'an error with a structure of its own',
    () => ({ isError: true, content: [{ type: 'text', text: 'real' }], structuredContent: { error: 'x' } }),
    { isError: true, content: [{ text: 'real' }], structuredContent: { error: 'x' } },
  ],
  ['no structure', () => ({ content: [{ type: 'text', text: 'w' }] }), { isError: true }],
  ['a wrong structure', () => ({ content: [], structuredContent: { t: 'hot' } }), { isError: true }],
  [
    'a throw',
    () => {
      throw new TypeError('thrown here');
    },
    { isError: true, content: [{ text: 'thrown here' }] },
  ],
];

describe.each(LOGGED_ROUTES)('tools with an output schema, $name', (route) => {
  it('field-D17 deliver errors as they are, hold back what breaks the schema, and box bad arguments', async () => {
    let run: () => object = () => ({});
    const opened = await route.open(() => {
      const server = new McpServer({ name: 'w', version: '1' });
      server.registerTool(
        'w',
        { inputSchema: z.object({ n: z.number().optional() }), outputSchema: OUTPUT },
        () => run() as never,
      );
      return server;
    });
    const { client } = opened;
    await client.listTools();
    for (const [name, does, wanted] of OUTCOMES) {
      run = does;
      const result = await client.callTool({ name: 'w' });
      expect([name, result]).toMatchObject([name, wanted]);
      const onWire = opened.log.findLast(({ from }) => from === 'server')?.message['result'];
      expect([name, onWire]).toMatchObject([name, wanted]);
      // Nothing that breaks the schema leaves the server.
      const structured = (onWire as { structuredContent?: unknown }).structuredContent;
      expect([name, structured]).toEqual([
        name,
        (wanted as { structuredContent?: unknown }).structuredContent,
      ]);
      if (!('content' in wanted)) expect(JSON.stringify(result.content)).toContain('w');
    }
    run = () => ({ content: [], structuredContent: { t: 1 } });
    expect(await client.callTool({ name: 'w' })).toMatchObject({ structuredContent: { t: 1 } });
    const bad = await client.callTool({ name: 'w', arguments: { n: 'one' } });
    expect(bad).toMatchObject({ isError: true });
    expect(JSON.stringify(bad.content)).toMatch(/\bn\b/);
    await expect(client.callTool({ name: 'nobody' })).rejects.toMatchObject({ code: -32_602 });
    await opened.close();
  });
});
