import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestProblem } from '../../../../testing/scripted-model-checks.ts';
import { imageFacts } from './image-facts.ts';
import { modelToolName } from './tool-names.ts';
import { toolResultBlock } from './tool-result.ts';
import { adaptSchema } from './tool-schema.ts';

const refusal = (name: string, schema: unknown): string | undefined =>
  requestProblem({
    model: 'm',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ name, input_schema: schema }],
  });

describe('tool names', () => {
  it('are accepted by providers, at most 64 characters, stable, and different for different tools', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 });
    const letters = fc.string({
      unit: fc.constantFrom('a', 'b', '_', '-', '.', ' '),
      minLength: 1,
      maxLength: 70,
    });
    const name = fc
      .tuple(fc.oneof(part, letters), fc.oneof(part, letters))
      .map(([server, tool]) => `mcp__${server}__${tool}`);
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 20 }), (names) => {
        const adapted = names.map(modelToolName);
        expect(adapted.filter((item) => !/^[a-zA-Z0-9_-]{1,64}$/.test(item))).toEqual([]);
        expect(new Set(adapted).size).toBe(names.length);
        expect(names.map(modelToolName)).toEqual(adapted);
      }),
    );
    expect(modelToolName('mcp__fs__read-file_2')).toBe('mcp__fs__read-file_2');
    const adapted = modelToolName('mcp__fs__admin.tools.list');
    expect(adapted).toMatch(/^mcp__fs__admin_tools_list-x[0-9a-f]{10}$/);
    expect(modelToolName(adapted)).not.toBe(adapted);
  });
});

describe('tool schemas', () => {
  it('become objects without combinators at the root', () => {
    const union = {
      oneOf: [
        { type: 'object', properties: { id: { type: 'string' }, both: {} }, required: ['id', 'both'] },
        { $ref: '#/$defs/named' },
      ],
      $defs: {
        named: { type: 'object', properties: { name: { type: 'string' } }, required: ['name', 'both'] },
      },
    };
    const adapted = adaptSchema(union);
    expect(adapted).toMatchObject({
      ok: true,
      schema: { type: 'object', properties: { id: {}, both: {}, name: {} }, required: ['both'] },
    });
    const all = adaptSchema({
      allOf: [
        { properties: { a: {} }, required: ['a'] },
        { properties: { b: {} }, required: ['b'] },
      ],
    });
    expect(all).toMatchObject({ ok: true, schema: { required: ['a', 'b'] } });
    for (const schema of [
      {},
      { type: 'object' },
      union,
      { $ref: '#/$defs/x', $defs: { x: { type: 'object', properties: { q: {} } } } },
    ]) {
      const result = adaptSchema(schema);
      expect(result.ok && refusal('t', result.schema)).toBe(undefined);
    }
  });

  it('lose references that lead nowhere or outside, and keep those inside', () => {
    const adapted = adaptSchema({
      type: 'object',
      properties: {
        far: { $ref: 'https://example.com/x.json' },
        gone: { $ref: '#/$defs/none' },
        near: { $ref: '#/$defs/node' },
      },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    });
    expect(adapted).toMatchObject({
      ok: true,
      schema: { properties: { far: {}, gone: {}, near: { $ref: '#/$defs/node' } } },
    });
    expect(JSON.stringify(adapted)).not.toContain('example.com');
  });

  it('are refused with a reason when nothing can be made of them', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const bad: unknown[] = [
      undefined,
      null,
      'text',
      [],
      true,
      { type: 'array' },
      { type: 'object', properties: { 'a b': {} } },
      { type: 'object', description: 'x'.repeat(300_000) },
      circular,
    ];
    expect(bad.map((schema) => adaptSchema(schema).ok)).toEqual(bad.map(() => false));
  });

  it('never make a provider refuse the request, whatever a server sends', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom('oneOf', 'anyOf', 'allOf', 'properties', '$ref', '$defs'),
        (value, word) => {
          const adapted = adaptSchema({ type: 'object', [word]: value });
          expect(adapted.ok ? refusal('t', adapted.schema) : undefined).toBe(undefined);
        },
      ),
    );
  });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const JPEG = Buffer.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 5, 0, 7, 1, 1, 0x11, 0,
]);

function wide(side: number): string {
  const copy = Buffer.from(PNG);
  copy.writeUInt32BE(side, 16);
  return copy.toString('base64');
}

const image = (data: string, mimeType: string) => ({ type: 'image', data, mimeType }) as const;
const shown = (...content: Parameters<typeof toolResultBlock>[1]['content']) => {
  const { content: blocks = [] } = toolResultBlock('t', { content }, { maxChars: 100_000 });
  return (typeof blocks === 'string' ? [] : blocks).map((block) =>
    block.type === 'text' ? block.text : block,
  );
};

describe('tool results', () => {
  it('keep good images byte for byte under the type that their bytes have', () => {
    const data = PNG.toString('base64');
    expect(shown(image(data, 'image/png'))).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    ]);
    expect(shown(image(JPEG.toString('base64'), 'image/png'))).toMatchObject([
      { source: { media_type: 'image/jpeg' } },
    ]);
    expect(imageFacts(JPEG)).toEqual({ type: 'image/jpeg', width: 7, height: 5 });
    expect(imageFacts(Buffer.from('GIF89a\x02\x00\x03\x00', 'latin1'))).toEqual({
      type: 'image/gif',
      width: 2,
      height: 3,
    });
  });

  it('replace images that the model cannot see by a note', () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
    const huge = Buffer.concat([PNG, Buffer.alloc(6_000_000)]).toString('base64');
    for (const block of [
      image(svg, 'image/svg+xml'),
      image('', 'image/png'),
      image(wide(9000), 'image/png'),
      image(huge, 'image/png'),
    ]) {
      expect(shown(block)).toEqual([expect.stringMatching(/^\[An image .* was left out: /)]);
    }
    const many = shown(...Array.from({ length: 25 }, () => image(PNG.toString('base64'), 'image/png')));
    expect(many.filter((block) => typeof block === 'string')).toHaveLength(5);
  });

  it('turn sounds, links and resources into texts', () => {
    const blocks = shown(
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'a', description: 'the file' },
      { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///c', blob: 'AAAA', mimeType: 'application/pdf' } },
      {
        type: 'resource',
        resource: { uri: 'file:///d', blob: PNG.toString('base64'), mimeType: 'image/png' },
      },
      { type: 'mystery' } as never,
    );
    expect(blocks).toEqual([
      expect.stringContaining('audio/wav, 3 bytes'),
      expect.stringContaining('file:///a'),
      '[file:///b]\ninside',
      expect.stringContaining('application/pdf, 3 bytes'),
      expect.objectContaining({ type: 'image' }),
      expect.stringContaining('mystery'),
    ]);
  });

  it('use structured content only when there is no block', () => {
    const options = { maxChars: 100 };
    expect(toolResultBlock('t', { content: [], structuredContent: { a: 1 } }, options).content).toEqual([
      { type: 'text', text: '{"a":1}' },
    ]);
    const both = toolResultBlock(
      't',
      { content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 }, isError: true },
      options,
    );
    expect(both).toEqual({
      type: 'tool_result',
      tool_use_id: 't',
      is_error: true,
      content: [{ type: 'text', text: 'x' }],
    });
  });

  it('cut long text at the limit, name the full size, and keep what is no text', () => {
    const cut = toolResultBlock(
      't',
      {
        content: [
          { type: 'text', text: 'a'.repeat(6) },
          image(PNG.toString('base64'), 'image/png'),
          { type: 'text', text: '😀'.repeat(10) },
        ],
      },
      { maxChars: 9 },
    ).content;
    expect(cut).toEqual([
      { type: 'text', text: 'aaaaaa' },
      expect.objectContaining({ type: 'image' }),
      { type: 'text', text: '😀' },
      { type: 'text', text: expect.stringMatching(/26 characters.*first 9/) as string },
    ]);
    const [long] = shown({ type: 'text', text: 'x'.repeat(3_000_000) });
    expect(long).toHaveLength(100_000);
  });
});
