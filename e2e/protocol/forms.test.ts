import { ProtocolError } from '@portico/rpc';
import { McpServer, type ServerContext, inputRequired } from '@portico/server';
import type { ElicitRequestFormParams } from '@portico/spec';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openWire } from '../../testing/mcp-wire.ts';
import { LOGGED_ROUTES, type OpenedClient } from './logged-routes.ts';

const INFO = { name: 'forms', version: '1' };
type Field = ElicitRequestFormParams['requestedSchema']['properties'][string];
type Row = readonly [field: Field, good: readonly unknown[], bad: readonly unknown[]];

const CHOICES = [
  { const: 'x', title: 'X' },
  { const: 'y', title: 'Y' },
];

/** Every kind of field, with values that fit it and values that do not. */
const FIELDS: Readonly<Record<string, Row>> = {
  text: [{ type: 'string' }, ['', 'ä'], [1, true, null, {}, ['a']]],
  described: [
    { type: 'string', title: 'T', description: 'd', minLength: 2, maxLength: 3 },
    ['ab', 'abc'],
    ['a', 'abcd'],
  ],
  email: [{ type: 'string', format: 'email' }, ['a@example.test'], ['a', 'a@']],
  uri: [{ type: 'string', format: 'uri' }, ['https://example.test/x'], ['no uri']],
  date: [{ type: 'string', format: 'date' }, ['2026-02-28'], ['2026-02-30', '28.2.2026']],
  dateTime: [{ type: 'string', format: 'date-time' }, ['2026-02-28T10:00:00Z'], ['2026-02-28']],
  number: [{ type: 'number', minimum: 0, maximum: 2 }, [0, 1.5], ['1', -1, 3, null]],
  integer: [{ type: 'integer' }, [3], [1.5, '3']],
  yes: [{ type: 'boolean' }, [true, false], ['true', 0]],
  one: [{ type: 'string', enum: ['x', 'y'] }, ['x'], ['z', 1, ['x']]],
  named: [{ type: 'string', enum: ['x', 'y'], enumNames: ['X', 'Y'] }, ['y'], ['X']],
  titled: [{ type: 'string', oneOf: CHOICES }, ['x'], ['X']],
  many: [
    { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, minItems: 1, maxItems: 2 },
    [['x'], ['x', 'y']],
    [[], ['z'], [1], 'x', ['x', 'y', 'x']],
  ],
  titledMany: [{ type: 'array', items: { anyOf: CHOICES } }, [[], ['y']], [['Y'], [{}]]],
};

/** What no form can show. */
const BAD_FIELDS: Readonly<Record<string, unknown>> = {
  object: { type: 'object', properties: {} },
  'list of objects': { type: 'array', items: { type: 'object' } },
  'list of lists': { type: 'array', items: { type: 'array', items: { type: 'string' } } },
  'list of any text': { type: 'array', items: { type: 'string' } },
  'list of numbers': { type: 'array', items: { type: 'number', enum: [1] } },
  'no items': { type: 'array' },
  null: { type: 'null' },
  'several types': { type: ['string', 'null'] },
  'no type': {},
  reference: { type: 'string', $ref: '#/x' },
  union: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  'other format': { type: 'string', format: 'ipv4' },
  'choice of numbers': { type: 'number', enum: [1, 2] },
  'choices that are no text': { type: 'string', enum: ['a', 1] },
  true: true,
};

const LIBRARY = {
  text: z.string().min(1).max(9).describe('d'),
  optional: z.string().optional(),
  preset: z.string().default('p'),
  email: z.email(),
  uri: z.url(),
  date: z.iso.date(),
  dateTime: z.iso.datetime(),
  number: z.number().min(0),
  integer: z.int(),
  yes: z.boolean(),
  one: z.enum(['x', 'y']),
  many: z.array(z.enum(['x', 'y'])),
} as const;

const BAD_LIBRARY: Readonly<Record<string, z.ZodType>> = {
  object: z.object({ a: z.object({}) }),
  optional: z.object({ a: z.object({ b: z.string() }).optional() }),
  list: z.object({ a: z.array(z.object({ b: z.string() })) }),
  record: z.object({ a: z.record(z.string(), z.string()) }),
  union: z.object({ a: z.union([z.string(), z.number()]) }),
  tuple: z.object({ a: z.tuple([z.string()]) }),
  nullable: z.object({ a: z.string().nullable() }),
  root: z.array(z.string()),
};

const schemaOf = (properties: object): ElicitRequestFormParams['requestedSchema'] => ({
  type: 'object',
  properties: properties as ElicitRequestFormParams['requestedSchema']['properties'],
});
const refused = expect.objectContaining({ code: 'INVALID_INPUT_REQUEST' }) as Error;
const elicit = (requestedSchema: unknown): unknown =>
  inputRequired.elicit({ message: 'm', requestedSchema: requestedSchema as z.ZodType });

describe('forms', () => {
  it('W184 hold text, numbers, yes or no and choices; all else throws when they are built', () => {
    for (const [name, [field]] of Object.entries(FIELDS)) {
      const requestedSchema = schemaOf({ [name]: field });
      expect(elicit(requestedSchema)).toMatchObject({ params: { mode: 'form', requestedSchema } });
    }
    for (const [name, field] of Object.entries(BAD_FIELDS)) {
      expect(() => elicit(schemaOf({ fine: { type: 'string' }, [name]: field })), name).toThrow(refused);
    }
    for (const root of [{ type: 'array', items: {} }, { type: 'object' }, { properties: {} }, 'x', null]) {
      expect(() => elicit(root)).toThrow(refused);
    }
  });

  it('W184 are made of schemas of a library, flat ones only', () => {
    expect(elicit(z.object(LIBRARY))).toMatchObject({
      params: {
        requestedSchema: {
          type: 'object',
          properties: {
            text: { type: 'string', minLength: 1, maxLength: 9, description: 'd' },
            optional: { type: 'string' },
            preset: { type: 'string', default: 'p' },
            email: { type: 'string', format: 'email' },
            uri: { type: 'string', format: 'uri' },
            date: { type: 'string', format: 'date' },
            dateTime: { type: 'string', format: 'date-time' },
            number: { type: 'number', minimum: 0 },
            integer: { type: 'integer' },
            yes: { type: 'boolean' },
            one: { type: 'string', enum: ['x', 'y'] },
            many: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
          },
          required: Object.keys(LIBRARY).filter((name) => name !== 'optional' && name !== 'preset'),
        },
      },
    });
    for (const [name, schema] of Object.entries(BAD_LIBRARY)) {
      expect(() => elicit(schema), name).toThrow(refused);
    }
  });
});

interface Asked extends OpenedClient {
  /** Asks a form and answers it with this content; gives the answer, or the number of the refusal. */
  ask(requestedSchema: object, content: unknown): Promise<unknown>;
}

/** A tool that asks by an embedded form in the modern era, and by a request of its own in the legacy one. */
function openAsker(route: (typeof LOGGED_ROUTES)[number], elicitation: object): Promise<Asked> {
  let form: ElicitRequestFormParams = { message: 'm', requestedSchema: schemaOf({}) };
  let content: unknown;
  let told: unknown;
  const run = async ({ client, mcpReq }: ServerContext): Promise<unknown> => {
    if (client.era === 'legacy') {
      told = await mcpReq.elicitInput(form).catch((error: unknown) => (error as { code: unknown }).code);
      return { content: [] };
    }
    if (mcpReq.inputResponses === undefined) {
      return inputRequired({ inputRequests: { q: inputRequired.elicit(form) } });
    }
    told = mcpReq.inputResponses['q'];
    return { content: [] };
  };
  return route
    .open(
      () => {
        const server = new McpServer(INFO);
        server.registerTool('ask', {}, (context) => run(context) as never);
        return server;
      },
      {
        capabilities: { elicitation },
        prepare: (client) =>
          client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content }) as never),
      },
    )
    .then((opened) => ({
      ...opened,
      async ask(requestedSchema, given) {
        form = {
          message: 'm',
          requestedSchema: requestedSchema as ElicitRequestFormParams['requestedSchema'],
        };
        content = given;
        told = undefined;
        const failed: unknown = await opened.client
          .callTool({ name: 'ask' })
          .then(() => undefined)
          .catch((error: unknown) => (error as { code: unknown }).code);
        return failed ?? told;
      },
    }));
}

describe.each(LOGGED_ROUTES)('entered values, $name', (route) => {
  it('W184 have to fit the form before the client sends them, and gaps are filled where that is declared', async () => {
    const asker = await openAsker(route, {});
    for (const [name, [field, good, bad]] of Object.entries(FIELDS)) {
      const schema = { ...schemaOf({ [name]: field }), required: [name] };
      for (const value of good) {
        const content = { [name]: value };
        expect([name, await asker.ask(schema, content)]).toEqual([name, { action: 'accept', content }]);
      }
      for (const content of [{}, undefined, ...bad.map((value) => ({ [name]: value }))]) {
        expect([name, content, await asker.ask(schema, content)]).toEqual([name, content, -32_602]);
      }
    }
    expect(await asker.ask(schemaOf({}), { more: { deep: 1 } })).toBe(-32_602);
    const presets = {
      a: { type: 'string', default: 'x' },
      b: { type: 'number', default: 0 },
      c: { type: 'boolean', default: false },
      d: { type: 'array', items: { type: 'string', enum: ['x'] }, default: ['x'] },
      e: { type: 'integer', default: 1 },
      f: { type: 'string' },
    };
    const given = { e: 2 };
    expect(await asker.ask(schemaOf(presets), given)).toEqual({ action: 'accept', content: given });
    await asker.close();
    const filling = await openAsker(route, { form: { applyDefaults: true } });
    const filled = { a: 'x', b: 0, c: false, d: ['x'], e: 2 };
    expect(await filling.ask(schemaOf(presets), given)).toEqual({ action: 'accept', content: filled });
    await filling.close();
  });
});

it('W184 are checked by the server too, where a legacy client did not', async () => {
  const outcomes: unknown[] = [];
  let form: ElicitRequestFormParams = { message: 'm', requestedSchema: schemaOf({}) };
  const server = new McpServer(INFO);
  server.registerTool('ask', {}, async ({ mcpReq }) => {
    const told: unknown = await mcpReq.elicitInput(form).catch((error: unknown) => error);
    outcomes.push(told instanceof ProtocolError ? told.code : told);
    return { content: [] };
  });
  const wire = await openWire((transport) => server.connect(transport));
  await wire.initialize('2025-11-25', { elicitation: {} });
  let seen = 0;
  const ask = async (field: Field, value: unknown): Promise<unknown> => {
    form = { message: 'm', requestedSchema: { ...schemaOf({ f: field }), required: ['f'] } };
    const call = wire.result('tools/call', { name: 'ask' });
    const isQuestion = (message: object): boolean =>
      'method' in message && 'id' in message && wire.received.indexOf(message as never) >= seen;
    const question = (await wire.next(isQuestion)) as { id: string; params: object };
    expect(question.params).toMatchObject(form);
    const result = { action: 'accept', ...(value === undefined ? {} : { content: { f: value } }) };
    await wire.send({ jsonrpc: '2.0', id: question.id, result } as never);
    await call;
    seen = wire.received.length;
    return outcomes.at(-1);
  };
  for (const [name, [field, good, bad]] of Object.entries(FIELDS)) {
    for (const value of good) {
      expect([name, await ask(field, value)]).toEqual([name, { action: 'accept', content: { f: value } }]);
    }
    for (const value of [undefined, ...bad]) {
      expect([name, value, await ask(field, value)]).toEqual([name, value, -32_602]);
    }
  }
});
