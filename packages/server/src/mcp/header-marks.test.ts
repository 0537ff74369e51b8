import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema, SchemaDefinition } from '../schema/standard-schema.ts';
import { McpServer } from './mcp-server.ts';

const done = (): { content: [] } => ({ content: [] });
const server = (): McpServer => new McpServer({ name: 's', version: '1' });
const properties = (given: object): JsonSchema => ({ type: 'object', properties: given });
const mark = (name: unknown, type: unknown = 'string'): object => ({ type, 'x-mcp-header': name });

const BROKEN: readonly [what: string, schema: SchemaDefinition][] = [
  ['an empty name', properties({ a: mark('') })],
  ['a name with a blank', properties({ a: mark('a b') })],
  ['a name with a line break', properties({ a: mark('a\r\nb') })],
  ['a name that is no text', properties({ a: mark(3) })],
  ['the same name twice', properties({ a: mark('A'), b: mark('a') })],
  ['a number', properties({ a: mark('A', 'number') })],
  ['an object', properties({ a: mark('A', 'object') })],
  ['a choice of types', properties({ a: mark('A', ['string', 'null']) })],
  ['the items of an array', properties({ a: { type: 'array', items: mark('A') } })],
  ['a branch', properties({ a: { anyOf: [mark('A')] } })],
  ['a definition', { type: 'object', $defs: { a: mark('A') } }],
  ['a schema of zod', z.object({ a: z.number().meta({ 'x-mcp-header': 'A' }) })],
];

describe('marks for headers', () => {
  it.each(BROKEN)('W106 that break the rules with %s are refused at registration', (_what, schema) => {
    const mcp = server();
    expect(() => mcp.registerTool('t', { inputSchema: schema }, done)).toThrow(
      expect.objectContaining({ code: 'INVALID_SCHEMA', data: { reason: 'header_mark' } }),
    );
    // Nothing is left of it: the name is free and no capability was announced for it.
    expect(mcp.server.getCapabilities()).toEqual({});
    const tool = mcp.registerTool('t', { inputSchema: properties({ a: mark('A') }) }, done);
    expect(() => tool.update({ name: 'other', paramsSchema: schema })).toThrow(
      expect.objectContaining({ code: 'INVALID_SCHEMA' }),
    );
    expect([tool.name, tool.inputSchema]).toEqual(['t', properties({ a: mark('A') })]);
  });

  it('W106 that keep the rules are taken, also from a schema library and where no tool reads them', () => {
    const mcp = server();
    const nested = properties({ a: properties({ b: mark('B', 'boolean') }), c: mark('C', 'integer') });
    const schemas = [nested, z.object({ a: z.string().meta({ 'x-mcp-header': 'A' }) }), properties({})];
    schemas.forEach((inputSchema, at) => mcp.registerTool(`t${String(at)}`, { inputSchema }, done));
    const argsSchema = { a: z.string().meta({ 'x-mcp-header': 'a b' }) };
    mcp.registerPrompt('p', { argsSchema }, () => ({ messages: [] }));
    expect(mcp.server.getCapabilities()).toMatchObject({ tools: {}, prompts: {} });
  });
});
