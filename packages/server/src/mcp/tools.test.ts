import { ProtocolError } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Wire, modern, openWire } from '../../../../testing/mcp-wire.ts';
import { createSchemaCompiler } from '../schema/schema-compiler.ts';
import { McpServer } from './mcp-server.ts';

const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];

const make = (): McpServer => new McpServer({ name: 'tools', version: '1' });

async function open(server: McpServer, era: Era): Promise<Wire> {
  const wire = await openWire((transport) => server.connect(transport));
  if (era === 'legacy') await wire.initialize();
  return wire;
}

const inEra = (era: Era, params: Record<string, unknown> = {}): Record<string, unknown> =>
  era === 'modern' ? modern(params) : params;

const call = (wire: Wire, era: Era, params: Record<string, unknown>): Promise<Record<string, unknown>> =>
  wire.result('tools/call', inEra(era, params));

describe.each(ERAS)('tools, %s', (era) => {
  it('W139 lists every member exactly as it was registered', async () => {
    const server = make();
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { word: { type: 'string' } },
      properties: { word: { $ref: '#/$defs/word' } },
      additionalProperties: false,
    };
    const described = {
      title: 'All of it',
      description: 'Has every member',
      inputSchema,
      outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
      annotations: { readOnlyHint: true, title: 'Hint' },
      icons: [{ src: 'https://example.test/i.png', mimeType: 'image/png' }],
      execution: { taskSupport: 'forbidden' as const },
      _meta: { 'example.test/key': { deep: [1] } },
    };
    server.registerTool('everything', described, () => ({ content: [] }));
    const { tools } = await (await open(server, era)).result('tools/list', inEra(era));
    expect(tools).toEqual([{ name: 'everything', ...described }]);
  });

  it('W140 hands every kind of content over as returned, in order', async () => {
    const server = make();
    const content = [
      { type: 'text' as const, text: 'a', annotations: { priority: 1 } },
      { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio' as const, data: 'BBBB', mimeType: 'audio/wav' },
      { type: 'resource_link' as const, uri: 'test://linked', name: 'linked' },
      { type: 'resource' as const, resource: { uri: 'test://inside', text: 'inside' } },
    ];
    server.registerTool('blocks', { inputSchema: z.object({ n: z.number() }) }, ({ n }) => ({
      content: [...content, { type: 'text', text: String(n + 1) }],
    }));
    server.registerResource('linked', 'test://linked', {}, () => ({
      contents: [{ uri: 'test://linked', text: 'read' }],
    }));
    const wire = await open(server, era);
    const result = await call(wire, era, { name: 'blocks', arguments: { n: 1 } });
    expect(result['content']).toEqual([...content, { type: 'text', text: '2' }]);
    const read = await wire.result('resources/read', inEra(era, { uri: 'test://linked' }));
    expect(read['contents']).toMatchObject([{ text: 'read' }]);
  });

  it('answers arguments that break the schema with an error result and does not run the tool', async () => {
    const server = make();
    const seen: unknown[] = [];
    const note = (args: unknown): { content: [] } => {
      seen.push(args);
      return { content: [] };
    };
    server.registerTool(
      'zod',
      { inputSchema: z.object({ n: z.coerce.number().max(9), s: z.string().default('d') }) },
      note,
    );
    server.registerTool(
      'plain',
      { inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
      note,
    );
    const wire = await open(server, era);
    for (const [name, given] of [
      ['zod', { n: 10 }],
      ['plain', { n: 'x' }],
      ['plain', {}],
    ] as const) {
      const result = await call(wire, era, { name, arguments: given });
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/\bn\b/) as string }],
      });
    }
    expect(seen).toEqual([]);
    await call(wire, era, { name: 'zod', arguments: { n: '3' } });
    expect(seen).toEqual([{ n: 3, s: 'd' }]);
  });

  it('W142 answers unknown and disabled tools with -32602', async () => {
    const server = make();
    const tool = server.registerTool('now', {}, () => ({ content: [] }));
    const wire = await open(server, era);
    tool.disable();
    expect((await wire.error('tools/call', inEra(era, { name: 'now' }))).code).toBe(-32_602);
    tool.enable();
    await call(wire, era, { name: 'now' });
    tool.remove();
    expect((await wire.error('tools/call', inEra(era, { name: 'now' }))).code).toBe(-32_602);
    expect((await wire.error('tools/call', inEra(era, { name: '__proto__' }))).code).toBe(-32_602);
  });

  it('W143 turns what a tool throws into an error result, but for the two codes that pass', async () => {
    const server = make();
    const thrown: readonly [name: string, value: unknown][] = [
      ['error', new TypeError('broken')],
      ['text', 'just words'],
      ['protocol', new ProtocolError(-7, 'coded', { why: 1 })],
      ['capability', new ProtocolError(-32_021, 'lacking', { requiredCapabilities: { roots: {} } })],
    ];
    for (const [name, value] of thrown) {
      server.registerTool(name, {}, () => {
        throw value;
      });
    }
    const wire = await open(server, era);
    expect(await call(wire, era, { name: 'error' })).toMatchObject({
      isError: true,
      content: [{ text: 'broken' }],
    });
    expect(await call(wire, era, { name: 'text' })).toMatchObject({
      isError: true,
      content: [{ text: 'just words' }],
    });
    expect(await call(wire, era, { name: 'protocol' })).toMatchObject({
      isError: true,
      content: [{ text: 'coded' }],
      _meta: { 'portico/error': { code: -7, data: { why: 1 } } },
    });
    expect((await wire.error('tools/call', inEra(era, { name: 'capability' }))).code).toBe(-32_021);
  });

  it('W144 sends only structured content that fits its schema', async () => {
    const server = make();
    const outputs: readonly [name: string, result: object][] = [
      ['fits', { content: [], structuredContent: { n: 1 } }],
      ['wrong', { content: [], structuredContent: { n: 'x' } }],
      ['missing', { content: [] }],
      ['failed', { content: [{ type: 'text', text: 'sorry' }], isError: true }],
    ];
    for (const [name, result] of outputs) {
      const outputSchema = z.object({ n: z.number() });
      server.registerTool(name, { outputSchema }, () => ({ content: [], ...result }));
    }
    const wire = await open(server, era);
    expect(await call(wire, era, { name: 'fits' })).toMatchObject({ structuredContent: { n: 1 } });
    for (const name of ['wrong', 'missing']) {
      const result = await call(wire, era, { name });
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining(name) as string }],
      });
      expect(result).not.toHaveProperty('structuredContent');
    }
    expect(await call(wire, era, { name: 'failed' })).toMatchObject({
      isError: true,
      content: [{ text: 'sorry' }],
    });
  });

  it('W146 adds the text of a structured value unless the tool has text of its own', async () => {
    const server = make();
    server.registerTool('bare', {}, () => ({ content: [], structuredContent: { a: 1 } }));
    server.registerTool('worded', {}, () => ({
      content: [{ type: 'text', text: 'own' }],
      structuredContent: { a: 1 },
    }));
    const wire = await open(server, era);
    expect((await call(wire, era, { name: 'bare' }))['content']).toEqual([{ type: 'text', text: '{"a":1}' }]);
    expect((await call(wire, era, { name: 'worded' }))['content']).toEqual([{ type: 'text', text: 'own' }]);
  });

  it('lists the other tools when one schema cannot be used, and fails only its calls', async () => {
    const server = make();
    server.registerTool('before', {}, () => ({ content: [] }));
    const dialect = { $schema: 'urn:none', type: 'object' };
    server.registerTool('dialect', { inputSchema: dialect }, () => ({ content: [] }));
    server.registerTool('after', {}, () => ({ content: [] }));
    const wire = await open(server, era);
    const { tools } = await wire.result('tools/list', inEra(era));
    expect((tools as { name: string }[]).map((tool) => tool.name)).toEqual(['before', 'dialect', 'after']);
    const error = await wire.error('tools/call', inEra(era, { name: 'dialect', arguments: {} }));
    expect(error).toMatchObject({ code: -32_603, message: expect.stringContaining('dialect') as string });
    await call(wire, era, { name: 'after' });
  });
});

describe('structured values that are no objects', () => {
  const withList = (): McpServer => {
    const server = make();
    const outputSchema = { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'number' } } };
    server.registerTool('list', { outputSchema }, () => ({ content: [], structuredContent: [1, 2] }));
    server.registerTool('text', {}, () => ({ content: [], structuredContent: 'word' }));
    return server;
  };

  it('travel as they are in the modern era', async () => {
    const wire = await open(withList(), 'modern');
    expect(await call(wire, 'modern', { name: 'list' })).toMatchObject({ structuredContent: [1, 2] });
    expect(await call(wire, 'modern', { name: 'text' })).toMatchObject({ structuredContent: 'word' });
  });

  it('are boxed for legacy clients, and so is their schema', async () => {
    const wire = await open(withList(), 'legacy');
    expect(await call(wire, 'legacy', { name: 'list' })).toMatchObject({
      structuredContent: { result: [1, 2] },
    });
    expect(await call(wire, 'legacy', { name: 'text' })).toMatchObject({
      structuredContent: { result: 'word' },
    });
    const { tools } = await wire.result('tools/list');
    expect((tools as object[])[0]).toMatchObject({
      outputSchema: {
        type: 'object',
        required: ['result'],
        properties: { result: { type: 'array', items: { $ref: '#/properties/result/$defs/n' } } },
      },
    });
  });
});

describe('registration', () => {
  it('refuses a taken name', () => {
    const server = make();
    server.registerTool('once', {}, () => ({ content: [] }));
    expect(() => server.registerTool('once', {}, () => ({ content: [] }))).toThrow(/once/);
  });

  it('converts a schema object once, however many servers use it', async () => {
    let conversions = 0;
    const inner = z.object({ a: z.string() })['~standard'];
    const counting = {
      '~standard': {
        ...inner,
        validate: inner.validate,
        jsonSchema: {
          ...inner.jsonSchema,
          input: (options: { target: 'draft-2020-12' }) => {
            conversions += 1;
            return inner.jsonSchema.input(options);
          },
        },
      },
    };
    const schemaCompiler = createSchemaCompiler();
    for (let index = 0; index < 3; index++) {
      const server = new McpServer({ name: 'many', version: '1' }, { schemaCompiler });
      server.registerTool('a', { inputSchema: counting }, () => ({ content: [] }));
      await (await open(server, 'modern')).result('tools/list', modern());
    }
    expect(conversions).toBe(1);
  });
});
