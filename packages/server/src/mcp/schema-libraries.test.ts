import { toStandardJsonSchema } from '@valibot/to-json-schema';
import type { jsonSchemaValidator } from '@portico/spec/json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { modern, openWire, type Wire } from '../../../../testing/mcp-wire.ts';
import { fromJsonSchema } from '../schema/from-json-schema.ts';
import type { SchemaDefinition } from '../schema/standard-schema.ts';
import { McpServer } from './mcp-server.ts';

const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];

const make = (): McpServer => new McpServer({ name: 'schemas', version: '1' });

async function open(server: McpServer, era: Era): Promise<Wire> {
  const wire = await openWire((transport) => server.connect(transport));
  if (era === 'legacy') await wire.initialize();
  return wire;
}

const inEra = (era: Era, params: Record<string, unknown> = {}): Record<string, unknown> =>
  era === 'modern' ? modern(params) : params;

const JSON_FORM = {
  type: 'object',
  properties: { name: { type: 'string', description: 'Whom' }, count: { type: 'integer', minimum: 1 } },
  required: ['name'],
} as const;

/** The same arguments in every form a tool may be given them. */
const FORMS: Readonly<Record<string, SchemaDefinition>> = {
  zod: z.object({ name: z.string().describe('Whom'), count: z.int().min(1).optional() }),
  'raw zod shape': { name: z.string().describe('Whom'), count: z.int().min(1).optional() },
  valibot: toStandardJsonSchema(
    v.object({
      name: v.pipe(v.string(), v.description('Whom')),
      count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    }),
  ),
  arktype: type({ name: type('string').describe('Whom'), 'count?': 'number.integer >= 1' }),
  fromJsonSchema: fromJsonSchema(JSON_FORM),
  'plain JSON Schema': JSON_FORM,
};

describe.each(ERAS)('%s', (era) => {
  it.each(Object.entries(FORMS))('W141 W247 %s: advertised, checked, handed over', async (_name, form) => {
    const server = make();
    const seen: unknown[] = [];
    const run = (args: unknown): { content: []; structuredContent: Record<string, unknown> } => {
      seen.push(args);
      return { content: [], structuredContent: args as Record<string, unknown> };
    };
    server.registerTool('greet', { inputSchema: form, outputSchema: form }, run);
    server.registerPrompt('greeting', { argsSchema: form }, (args: unknown) => {
      seen.push(args);
      return { messages: [] };
    });
    const wire = await open(server, era);
    const { tools } = await wire.result('tools/list', inEra(era));
    expect(tools).toMatchObject([
      {
        inputSchema: {
          type: 'object',
          properties: { name: { type: 'string' }, count: { minimum: 1 } },
          required: ['name'],
        },
        outputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
    ]);
    const { prompts } = await wire.result('prompts/list', inEra(era));
    expect(prompts).toMatchObject([
      {
        arguments: [
          { name: 'name', required: true },
          { name: 'count', required: false },
        ],
      },
    ]);
    for (const args of [{}, { name: 5 }, { name: 'a', count: 0 }]) {
      const result = await wire.result('tools/call', inEra(era, { name: 'greet', arguments: args }));
      const field = 'name' in args && args.name === 'a' ? /count/ : /name/;
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(field) as string }],
      });
    }
    expect((await wire.error('prompts/get', inEra(era, { name: 'greeting', arguments: {} }))).code).toBe(
      -32_602,
    );
    expect(seen).toEqual([]);
    const fine = { name: 'Ada', count: 2 };
    const result = await wire.result('tools/call', inEra(era, { name: 'greet', arguments: fine }));
    expect(result).toMatchObject({ structuredContent: fine });
    await wire.result('prompts/get', inEra(era, { name: 'greeting', arguments: { name: 'Ada' } }));
    expect(seen).toEqual([fine, { name: 'Ada' }]);
  });

  it('W141 answers bad arguments of every construct with the field, and runs nothing', async () => {
    const server = make();
    const seen: unknown[] = [];
    const note = (args: unknown): { content: [] } => {
      seen.push(args);
      return { content: [] };
    };
    const schemas: Readonly<Record<string, SchemaDefinition>> = {
      union: z.union([z.object({ n: z.number() }), z.object({ n: z.boolean() })]),
      intersection: z.intersection(z.object({ n: z.number() }), z.object({ m: z.number() })),
      transform: z.object({ n: z.string().transform((text) => text.length) }),
      pipe: z.object({ n: z.string().transform(Number).pipe(z.number().max(9)) }),
      async: z.object({ n: z.string().refine((text) => Promise.resolve(text === 'ok')) }),
      coerce: z.object({ n: z.coerce.number().max(9), s: z.string().default('d') }),
    };
    for (const [name, inputSchema] of Object.entries(schemas))
      server.registerTool(name, { inputSchema }, note);
    const wire = await open(server, era);
    const call = (name: string, args: object): Promise<Record<string, unknown>> =>
      wire.result('tools/call', inEra(era, { name, arguments: args }));
    for (const [name, args] of [
      ['union', { n: 'x' }],
      ['intersection', { n: 1 }],
      ['transform', { n: 5 }],
      ['pipe', { n: '10' }],
      ['async', { n: 'no' }],
      ['coerce', { n: '10' }],
    ] as const) {
      const text = name === 'intersection' ? /\bm\b/ : name === 'union' ? /nvalid/ : /\bn\b/;
      expect(await call(name, args)).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: expect.stringMatching(text) as string }],
      });
    }
    expect(seen).toEqual([]);
    for (const [name, args] of [
      ['union', { n: true }],
      ['transform', { n: 'abc' }],
      ['pipe', { n: '3' }],
      ['async', { n: 'ok' }],
      ['coerce', { n: '3' }],
    ] as const)
      await call(name, args);
    expect(seen).toEqual([{ n: true }, { n: 3 }, { n: 3 }, { n: 'ok' }, { n: 3, s: 'd' }]);
  });

  it('W248 checks plain schemas with the validator of the server, or the one given to fromJsonSchema', async () => {
    const asked: unknown[] = [];
    const spy: jsonSchemaValidator = {
      getValidator: (schema) => {
        asked.push(schema);
        return () => ({ valid: false, data: undefined, errorMessage: 'never' });
      },
    };
    const server = new McpServer({ name: 'own', version: '1' }, { jsonSchemaValidator: spy });
    const plain = { type: 'object', properties: { a: {} } };
    const given = { type: 'object', properties: { b: {} } };
    server.registerTool('plain', { inputSchema: plain }, () => ({ content: [] }));
    server.registerTool('given', { inputSchema: fromJsonSchema(given, spy) }, () => ({ content: [] }));
    const wire = await open(server, era);
    expect(asked).toEqual([]);
    for (const name of ['plain', 'given', 'plain']) {
      const result = await wire.result('tools/call', inEra(era, { name, arguments: {} }));
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('never') as string }],
      });
    }
    expect(asked).toEqual([plain, given]);
  });
});

describe('registration', () => {
  const refused = (schema: unknown): string => {
    try {
      make().registerTool('odd', { inputSchema: schema as SchemaDefinition }, () => ({ content: [] }));
      return 'taken';
    } catch (error) {
      return `${(error as { code: string }).code} ${(error as Error).message}`;
    }
  };

  it('W247 refuses at once what cannot be used, and names tool and cause', () => {
    const zodThree = { _def: { typeName: 'ZodObject' }, parse: () => undefined };
    const old = { '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) } };
    for (const [schema, cause] of [
      [zodThree, /odd.*zod, 4\.2/],
      [{ field: zodThree }, /odd.*zod, 4\.2/],
      [old, /odd.*4\.2/],
      [v.object({ a: v.string() }), /odd.*to-json-schema/],
      [z.object({ when: z.date() }), /odd.*Date/],
      [z.string(), /odd.*object.*string/],
      [z.union([z.string(), z.number()]), /odd.*object/],
      [{ type: 'array' }, /odd.*object.*array/],
      [fromJsonSchema({ type: 'string' }), /odd.*object/],
      ['text', /odd/],
    ] as const) {
      expect(refused(schema)).toMatch(/^INVALID_SCHEMA /);
      expect(refused(schema)).toMatch(cause);
    }
    expect(() => make().registerPrompt('p', { argsSchema: z.string() }, () => ({ messages: [] }))).toThrow(
      /prompt p/,
    );
    expect(() =>
      make().registerTool('o', { outputSchema: z.object({ when: z.date() }) }, () => ({ content: [] })),
    ).toThrow(/output schema of tool o/);
    expect(refused(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]))).toBe('taken');
  });

  it('W247 hands arguments over with the types of the library', () => {
    const server = make();
    server.registerTool('z', { inputSchema: z.object({ n: z.coerce.number() }) }, ({ n }) => {
      expectTypeOf(n).toEqualTypeOf<number>();
      return { content: [] };
    });
    server.registerTool('r', { inputSchema: { n: z.number(), s: z.string().optional() } }, (args) => {
      expectTypeOf(args.n).toEqualTypeOf<number>();
      expectTypeOf(args.s).toEqualTypeOf<string | undefined>();
      return { content: [] };
    });
    server.registerTool('v', { inputSchema: toStandardJsonSchema(v.object({ n: v.number() })) }, ({ n }) => {
      expectTypeOf(n).toEqualTypeOf<number>();
      return { content: [] };
    });
    server.registerTool('a', { inputSchema: type({ n: 'number' }) }, ({ n }) => {
      expectTypeOf(n).toEqualTypeOf<number>();
      return { content: [] };
    });
    server.registerTool('f', { inputSchema: fromJsonSchema<{ n: number }>({ type: 'object' }) }, ({ n }) => {
      expectTypeOf(n).toEqualTypeOf<number>();
      return { content: [] };
    });
    server.registerTool('j', { inputSchema: { type: 'object' } }, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
      return { content: [] };
    });
  });
});
