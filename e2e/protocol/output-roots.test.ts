import { Client as OfficialV2Client } from '@modelcontextprotocol/client';
import { Client as OfficialV1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { createMemoryTransportPair } from '@portico/rpc';
import { McpServer } from '@portico/server';
import { AjvJsonSchemaValidator } from '@portico/spec/json-schema/ajv';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asTransport } from '../interop/interop-client.ts';
import { LOGGED_ROUTES } from './logged-routes.ts';

const INFO = { name: 'roots', version: '1' };
const TREE = {
  type: ['object', 'null'],
  properties: {
    $id: { type: 'string' },
    next: { $ref: '#' },
    leaf: { $ref: '#/$defs/leaf' },
    default: { $ref: '#/$defs/leaf' },
    mark: { const: { $ref: '#/$defs/leaf' } },
    other: {
      $id: 'https://example.test/other',
      $defs: { n: { type: 'number' } },
      properties: { n: { $ref: '#/$defs/n' } },
    },
  },
  $defs: { leaf: { type: 'array', items: { $ref: '#' } } },
};
const TREE_VALUE = {
  $id: 'x',
  next: null,
  leaf: [{ leaf: [] }],
  default: [null],
  mark: { $ref: '#/$defs/leaf' },
  other: { n: 1 },
};

const BOX = { type: 'object', required: ['result'], properties: { result: {} } };
const AT = '#/properties/result';
/** References within are moved along, those of a schema with an id of its own and plain values are not. */
const BOXED_TREE = {
  properties: {
    result: {
      properties: {
        next: { $ref: AT },
        leaf: { $ref: `${AT}/$defs/leaf` },
        default: { $ref: `${AT}/$defs/leaf` },
        mark: { const: { $ref: '#/$defs/leaf' } },
        other: { properties: { n: { $ref: '#/$defs/n' } } },
      },
      $defs: { leaf: { items: { $ref: AT } } },
    },
  },
};

/** Tools by name: their schema, values that fit, and one that does not. */
const ROOTS = {
  list: { schema: z.array(z.string()), values: [['a'], []], wrong: [1] },
  union: {
    schema: z.union([z.object({ a: z.string() }), z.string()]),
    values: [{ a: 'x' }, 'text'],
    wrong: 5,
  },
  objects: {
    schema: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    values: [{ a: 'x' }, { b: 'y' }],
    wrong: { c: 1 },
  },
  nothing: { schema: z.null(), values: [null], wrong: 0 },
  number: { schema: { type: 'number' }, values: [0, 1.5], wrong: 'x' },
  yes: { schema: { type: 'boolean' }, values: [false], wrong: 'x' },
  text: { schema: { type: 'string' }, values: [''], wrong: 1 },
  tree: { schema: TREE, values: [null, TREE_VALUE], wrong: { leaf: [5] } },
  object: { schema: z.object({ a: z.string() }), values: [{ a: 'x' }], wrong: { a: 1 } },
  free: { schema: undefined, values: [[1], 'x', 0, false, null, { o: 1 }], wrong: undefined },
} as const;
const NAMES = Object.keys(ROOTS) as (keyof typeof ROOTS)[];

/** Answers each call with the value that the test has put there. */
function make(current: { value: unknown; isError?: boolean }): McpServer {
  const server = new McpServer(INFO);
  for (const name of NAMES) {
    const { schema } = ROOTS[name];
    const config = schema === undefined ? {} : { outputSchema: schema };
    server.registerTool(name, config, () => ({
      content: [],
      structuredContent: current.value as Record<string, unknown>,
      ...(current.isError === true ? { isError: true } : {}),
    }));
  }
  return server;
}

const isBoxed = (name: keyof typeof ROOTS, value: unknown): boolean =>
  name === 'free' ? typeof value !== 'object' || value === null || Array.isArray(value) : name !== 'object';

describe.each(LOGGED_ROUTES)('structured values of any type, $name', (route) => {
  it('W147 are what they are in the modern era and boxed for legacy clients, who can check them', async () => {
    const current: { value: unknown; isError?: boolean } = { value: null };
    const { client, log, close } = await route.open(() => make(current));
    const { tools } = await client.listTools();
    const ajv = new AjvJsonSchemaValidator();
    for (const name of NAMES) {
      const { schema, values, wrong } = ROOTS[name];
      const listed = tools.find((tool) => tool.name === name)?.outputSchema;
      expect([name, listed === undefined]).toEqual([name, schema === undefined]);
      const isLegacy = route.era === 'legacy';
      const isBox = isLegacy && listed !== undefined && name !== 'object';
      expect({ ...listed }).toMatchObject(isBox ? BOX : {});
      const check = listed === undefined ? undefined : ajv.getValidator(listed);
      for (const value of values) {
        for (const isError of [false, true]) {
          Object.assign(current, { value, isError });
          const expected = isLegacy && isBoxed(name, value) ? { result: value } : value;
          const { structuredContent } = await client.callTool({ name });
          expect([name, structuredContent]).toEqual([name, expected]);
          expect(log.at(-1)?.message).toMatchObject({ result: { structuredContent: expected } });
          expect([name, check?.(structuredContent).valid ?? true]).toEqual([name, true]);
        }
      }
      if (schema === undefined) continue;
      Object.assign(current, { value: wrong, isError: false });
      expect([name, check?.(isLegacy && name !== 'object' ? { result: wrong } : wrong).valid]).toEqual([
        name,
        false,
      ]);
      const refused = await client.callTool({ name });
      expect([name, refused.isError, refused.structuredContent]).toEqual([name, true, undefined]);
    }
    const tree = tools.find(({ name }) => name === 'tree')?.outputSchema;
    expect(tree).toMatchObject(route.era === 'modern' ? TREE : BOXED_TREE);
    await close();
  });
});

type AnyClient = Pick<OfficialV2Client, 'listTools' | 'callTool' | 'close'>;

const OFFICIAL: Readonly<Record<string, (transport: object) => Promise<AnyClient>>> = {
  'client 2, modern': async (transport) => {
    const client = new OfficialV2Client(INFO, { versionNegotiation: { mode: 'auto' } });
    await client.connect(asTransport(transport));
    return client;
  },
  'client 2, legacy': async (transport) => {
    const client = new OfficialV2Client(INFO);
    await client.connect(asTransport(transport));
    return client;
  },
  'client 1': async (transport) => {
    const client = new OfficialV1Client(INFO);
    await client.connect(asTransport(transport));
    return client as unknown as AnyClient;
  },
};

it.each(Object.entries(OFFICIAL))('W147 are taken and checked by the official %s', async (name, connect) => {
  const current: { value: unknown } = { value: null };
  const [ours, theirs] = createMemoryTransportPair();
  await make(current).connect(theirs);
  const client = await connect(ours);
  await client.listTools();
  for (const tool of NAMES) {
    for (const value of ROOTS[tool].values) {
      current.value = value;
      const { structuredContent } = await client.callTool({ name: tool });
      const boxed = name !== 'client 2, modern' && isBoxed(tool, value);
      expect([tool, structuredContent]).toEqual([tool, boxed ? { result: value } : value]);
    }
  }
  await client.close();
});
