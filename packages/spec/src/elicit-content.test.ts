import { describe, expect, it } from 'vitest';
import { elicitContentFault, withElicitDefaults } from './elicit-content.ts';
import type { PrimitiveSchemaDefinition } from './elicitation.ts';

const form = (
  field: PrimitiveSchemaDefinition,
  required: string[] = [],
): Parameters<typeof elicitContentFault>[0] => ({ type: 'object', properties: { f: field }, required });

const text = (more: object): PrimitiveSchemaDefinition => ({ type: 'string', ...more });

describe('the content of a form', () => {
  it.each<[PrimitiveSchemaDefinition, readonly unknown[], readonly unknown[]]>([
    [text({}), ['', 'x'], [1, true, null, ['x']]],
    [text({ minLength: 2, maxLength: 3 }), ['ab', '😀😀😀'], ['a', 'abcd', '😀']],
    [text({ format: 'email' }), ['a@b.co'], ['a', 'a@b', 'a b@c.de', 'a@b..c']],
    [text({ format: 'uri' }), ['https://a.example/x', 'urn:x:y'], ['a.example', '//x', 'http://']],
    [text({ format: 'date' }), ['2024-02-29'], ['2023-02-29', '2024-2-1', '2024-13-01']],
    [
      text({ format: 'date-time' }),
      ['2024-02-29T10:00:00Z', '2024-01-01T10:00:00.5+02:00'],
      ['2024-02-29', '2024-02-30T10:00:00Z', '2024-01-01T10:00:00'],
    ],
    [text({ format: 'of a later revision' }), ['anything'], [1]],
    [text({ enum: ['a', 'b'] }), ['a'], ['c', '', 1]],
    [text({ oneOf: [{ const: 'a', title: 'A' }] }), ['a'], ['A']],
    [{ type: 'number', minimum: 0, maximum: 1.5 }, [0, 1.5], [-1, 2, '1', Number.NaN]],
    [{ type: 'integer' }, [3, -1], [1.5, '3', Number.POSITIVE_INFINITY]],
    [{ type: 'boolean' }, [true, false], ['true', 0]],
    [
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2 },
      [['a'], ['a', 'b']],
      [[], ['c'], ['a', 'b', 'a'], 'a', [1]],
    ],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, [[], ['a']], [['A']]],
  ])('fits or breaks the field %j', (field, good, bad) => {
    for (const f of good) {
      expect([f, elicitContentFault(form(field), { f: f as string })]).toEqual([f, undefined]);
    }
    for (const f of bad) {
      expect([f, elicitContentFault(form(field), { f: f as string })]).toEqual([f, expect.any(String)]);
    }
  });

  it('has what is required, may lack the rest, and may hold more', () => {
    expect(elicitContentFault(form({ type: 'boolean' }, ['f']), {})).toContain('f');
    expect(elicitContentFault(form({ type: 'boolean' }), { g: 1 })).toBeUndefined();
    expect(elicitContentFault(form({ type: 'boolean' }, ['constructor']), {})).toContain('constructor');
  });

  it('gets the defaults of what was not entered, and nothing else', () => {
    const schema = {
      type: 'object' as const,
      properties: {
        a: text({ default: 'x' }),
        b: { type: 'number' as const, default: 0 },
        c: { type: 'boolean' as const },
      },
    };
    const given = Object.freeze({ b: 5 });
    expect(withElicitDefaults(schema, given)).toEqual({ a: 'x', b: 5 });
    const whole = { a: '', b: 1 };
    expect(withElicitDefaults(schema, whole)).toBe(whole);
  });
});
