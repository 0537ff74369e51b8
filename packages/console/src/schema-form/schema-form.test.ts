import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORM_SAMPLES } from '../../../../testing/form-samples.ts';
import { checkForm } from './check-form.ts';
import { controlShows, parseJson, parseNumber, printJson } from './field-text.ts';
import type { FormNode } from './form-node.ts';
import {
  branchFor,
  formFromJson,
  initialValue,
  jsonFromForm,
  withBranch,
  withDraft,
  withValue,
  withoutEntry,
} from './form-state.ts';
import { getAt, isJsonObject, sameJson, setAt } from './json-value.ts';
import type { JsonValue } from './json-value.ts';
import { readSchema } from './read-schema.ts';
import { isSafePattern, withoutUnsafePatterns } from './safe-pattern.ts';

const json = (value: unknown): JsonValue => value as JsonValue;
const anyJson = fc.jsonValue({ maxDepth: 4 }).map((value) => json(JSON.parse(JSON.stringify(value))));

/** What the controls of a node would give back if each were typed again as it is shown. */
function retype(node: FormNode, value: JsonValue | undefined): JsonValue | undefined {
  const asJson = (): JsonValue | undefined => {
    const parsed = parseJson(printJson(value));
    return parsed.ok ? parsed.value : 'unreadable';
  };
  if (value === undefined || value === null || !controlShows(node, value)) return asJson();
  switch (node.kind) {
    case 'text':
      return value;
    case 'number': {
      const parsed = parseNumber(printJson(value), node.integer);
      // What the number field refuses is shown as a draft, and stays as it is until it is changed.
      return parsed.ok ? parsed.value : value;
    }
    case 'list':
      return (value as JsonValue[]).map((entry) => retype(node.item(), entry) ?? null);
    case 'record': {
      const known = new Map(node.fields.map((field) => [field.name, field]));
      const entries = Object.entries(isJsonObject(value) ? value : {}).map(
        ([name, entry]): [string, JsonValue] => {
          const field = known.get(name);
          return [name, (field === undefined ? entry : retype(field.node(), entry)) ?? null];
        },
      );
      return Object.fromEntries(entries);
    }
    case 'union':
      return retype(
        node.branches[branchFor(node, value, undefined)]?.node() ?? {
          kind: 'json',
          schema: {},
          nullable: true,
        },
        value,
      );
    case 'boolean':
    case 'choice':
    case 'constant':
    case 'json':
      return asJson();
  }
}

describe('K54 forms made from schemas', () => {
  it('has at least 60 schemas to show it with', () => {
    expect(FORM_SAMPLES.length).toBeGreaterThanOrEqual(60);
  });

  it.each(FORM_SAMPLES)(
    'K54 $about: form and JSON are the same value, whatever the value is',
    ({ schema, good }) => {
      const node = readSchema(schema);
      const check = (value: JsonValue): void => {
        const form = formFromJson(value);
        expect(jsonFromForm(form)).toEqual(value);
        const text = parseJson(printJson(jsonFromForm(form)));
        expect(text.ok && formFromJson(text.value)).toEqual(form);
        expect(retype(node, value)).toEqual(value);
      };
      check(json(good));
      fc.assert(
        fc.property(anyJson, (value) => check(value)),
        { numRuns: 40 },
      );
      fc.assert(
        fc.property(fc.record({ it: anyJson, other: anyJson }), (value) => check(value)),
        { numRuns: 40 },
      );
    },
  );

  it.each(FORM_SAMPLES)(
    'K54 $about: accepts what fits and marks the field that does not',
    ({ schema, good, bad }) => {
      expect(checkForm(schema, json(good)) ?? []).toEqual([]);
      if (bad === undefined) return;
      const problems = checkForm(schema, json(bad.value)) ?? [];
      expect(problems.map(({ pointer, keyword }) => ({ pointer, keyword }))).toContainEqual({
        pointer: bad.pointer,
        keyword: bad.keyword,
      });
    },
  );

  it('names only the fields of the branch that is meant', () => {
    const sample = FORM_SAMPLES.find(({ about }) => about === 'the meant branch of a union');
    const problems = checkForm(sample?.schema ?? {}, json(sample?.bad?.value)) ?? [];
    expect(problems.map(({ pointer }) => pointer)).toEqual(['/it/width']);
  });
});

describe('reading a schema', () => {
  const kindOf = (schema: unknown): string => readSchema(schema).kind;

  it('gives each kind of schema its control', () => {
    expect(
      ['string', 'number', 'integer', 'boolean', 'array', 'object'].map((type) => kindOf({ type })),
    ).toEqual(['text', 'number', 'number', 'boolean', 'list', 'record']);
    expect(kindOf({ enum: ['a'] })).toBe('choice');
    expect(kindOf({ type: ['string', 'number'] })).toBe('union');
    expect(kindOf({ $ref: '#/nowhere' })).toBe('json');
    expect(kindOf('nonsense')).toBe('json');
  });

  it('sees nullable through every way of writing it', () => {
    const ways = [
      { type: ['string', 'null'] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { oneOf: [{ type: 'null' }, { type: 'string' }] },
      { type: 'string', nullable: true },
    ];
    expect(ways.map((schema) => [kindOf(schema), readSchema(schema).nullable])).toEqual(
      ways.map(() => ['text', true]),
    );
  });

  it('keeps description and title beside a reference', () => {
    const node = readSchema({
      $defs: { a: { type: 'string', title: 'A' } },
      $ref: '#/$defs/a',
      description: 'here',
    });
    expect([node.kind, node.title, node.description]).toEqual(['text', 'A', 'here']);
  });

  it('ends at references that go round in circles', () => {
    expect(kindOf({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } })).toBe(
      'json',
    );
  });
});

describe('a fresh form', () => {
  it('holds defaults, constants and the frame of required objects, and makes nothing up', () => {
    const node = readSchema({
      type: 'object',
      required: ['kind', 'where', 'name', 'loud'],
      properties: {
        kind: { const: 'note' },
        name: { type: 'string' },
        loud: { type: 'boolean' },
        size: { type: 'integer', default: 3 },
        where: { type: 'object', required: ['x'], properties: { x: { type: 'number', default: 1 } } },
        extra: { type: 'object', properties: { y: { type: 'string' } } },
      },
    });
    expect(initialValue(node)).toEqual({ kind: 'note', loud: false, size: 3, where: { x: 1 } });
  });

  it('ends for a schema that requires itself', () => {
    const schema = {
      $ref: '#/$defs/n',
      $defs: { n: { type: 'object', required: ['n'], properties: { n: { $ref: '#/$defs/n' } } } },
    };
    expect(JSON.stringify(initialValue(readSchema(schema))).length).toBeLessThan(200);
  });
});

describe('editing', () => {
  it('sends nothing while a typed text is no value, and drops it when the field gets one', () => {
    const form = withDraft(formFromJson({ a: 1 }), ['a'], { text: '1e', problem: 'not_a_number' });
    expect(jsonFromForm(form)).toBeUndefined();
    expect(jsonFromForm(withValue(form, ['a'], 2))).toEqual({ a: 2 });
  });

  it('keeps fields of the same name when another kind is chosen', () => {
    const node = readSchema({
      oneOf: [
        {
          type: 'object',
          required: ['kind'],
          properties: { kind: { const: 'a' }, note: { type: 'string' } },
        },
        {
          type: 'object',
          required: ['kind'],
          properties: { kind: { const: 'b' }, note: { type: 'string' } },
        },
      ],
    });
    const second = node.kind === 'union' ? node.branches[1]?.node() : undefined;
    const form = withBranch(formFromJson({ it: { kind: 'a', note: 'kept' } }), ['it'], {
      index: 1,
      node: second ?? node,
    });
    expect(form.value).toEqual({ it: { kind: 'b', note: 'kept' } });
  });

  it('closes the gap when a list entry is removed', () => {
    expect(withoutEntry(formFromJson({ list: [1, 2, 3] }), ['list'], 1).value).toEqual({ list: [1, 3] });
  });

  it('changes one place and nothing else, for any value', () => {
    fc.assert(
      fc.property(anyJson, fc.string(), anyJson, (root, name, value) => {
        const base = isJsonObject(root) ? root : {};
        const changed = setAt(base, [name], value);
        expect(sameJson(getAt(changed, [name]), value)).toBe(true);
        const others = Object.keys(base).filter((other) => other !== name);
        expect(others.map((other) => getAt(changed, [other]))).toEqual(others.map((other) => base[other]));
      }),
    );
  });

  it.each([
    ['1e400', 'not_a_number'],
    ['0x10', 'not_a_number'],
    ['1,5', 'not_a_number'],
    ['--1', 'not_a_number'],
    ['1.', 'not_a_number'],
    ['12345678901234567890', 'inexact_number'],
  ])('refuses %s instead of changing it', (text, problem) => {
    const parsed = parseNumber(text, false);
    expect(parsed.ok ? undefined : parsed.draft).toEqual({ text, problem });
  });
});

describe('patterns from outside', () => {
  it.each([
    '^(a+)+$',
    '(a|aa)+$',
    '(.*)*x',
    '^(\\w+\\s?)*$',
    '(?=a)b',
    '(a)\\1',
    'a*a*a*b',
    `^${'a'.repeat(300)}$`,
    '((a+))+',
  ])('never runs %s', (pattern) => {
    expect(isSafePattern(pattern)).toBe(false);
    expect(withoutUnsafePatterns({ type: 'string', pattern })).toEqual({ type: 'string' });
  });

  it.each(['^[a-z]+$', '^\\d{4}-\\d{2}$', '^(red|green)$', '^[A-Z][a-z]*$'])('runs %s', (pattern) => {
    expect(isSafePattern(pattern)).toBe(true);
  });

  it('leaves a property alone that is called pattern', () => {
    const schema = { properties: { pattern: { type: 'string' } } };
    expect(withoutUnsafePatterns(schema)).toEqual(schema);
  });

  it('does not check a schema that is too large', () => {
    expect(checkForm({ description: 'x'.repeat(70_000) }, {})).toBeUndefined();
  });
});
