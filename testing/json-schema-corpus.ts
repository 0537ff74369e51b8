/* oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema */

/** One schema with values that fit it and values that do not. */
export interface SchemaCase {
  readonly about: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly fits: readonly unknown[];
  readonly fails: readonly unknown[];
}

const D7 = 'http://json-schema.org/draft-07/schema#';
const D6 = 'http://json-schema.org/draft-06/schema#';
const D19 = 'https://json-schema.org/draft/2019-09/schema';
const D20 = 'https://json-schema.org/draft/2020-12/schema';

type Row = readonly [
  about: string,
  schema: Readonly<Record<string, unknown>>,
  fits: readonly unknown[],
  fails: readonly unknown[],
];

const ROWS: readonly Row[] = [
  ['type string', { type: 'string' }, ['', 'a'], [1, null, [], {}]],
  ['type number', { type: 'number' }, [0, -1.5, 1e300], ['1', true]],
  ['type integer', { type: 'integer' }, [3, 3.0, -0], [3.5, '3']],
  ['type boolean', { type: 'boolean' }, [true, false], [0, 'true']],
  ['type null', { type: 'null' }, [null], [0, false, '']],
  ['type list', { type: ['string', 'null'] }, ['x', null], [1, []]],
  ['enum', { enum: [1, 'a', null, { k: [1] }] }, [1, 'a', null, { k: [1] }], [2, 'b', { k: [2] }]],
  ['const object', { const: { a: 1, b: [2] } }, [{ b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: [2, 3] }]],
  ['const false', { const: false }, [false], [0, null]],
  ['minimum', { minimum: 2, maximum: 4 }, [2, 4, 'x'], [1.9, 4.1]],
  ['exclusive', { exclusiveMinimum: 2, exclusiveMaximum: 4 }, [3], [2, 4]],
  ['multipleOf', { multipleOf: 0.1 }, [0.3, 1, 0.7], [0.35, 0.01]],
  ['multipleOf large', { multipleOf: 3 }, [9007199254740990, 0], [10]],
  ['length', { minLength: 2, maxLength: 3 }, ['ab', 'abc', '😀😀'], ['a', 'abcd', '😀']],
  ['pattern', { pattern: '^[a-z]+-\\d{2}$' }, ['ab-12'], ['ab-1', 'AB-12']],
  ['pattern unanchored', { pattern: 'b' }, ['abc'], ['acd']],
  ['pattern unicode', { pattern: '^\\p{Letter}+$' }, ['żółw'], ['a1']],
  ['format date', { format: 'date' }, ['2024-02-29', 5], ['2023-02-29', 'x']],
  ['format date-time', { format: 'date-time' }, ['2024-01-01T10:00:00Z'], ['2024-01-01 10:00']],
  ['format email', { format: 'email' }, ['a@b.example'], ['a@', 'a b@c.d']],
  ['format uri', { format: 'uri' }, ['https://a.example/x?y#z'], ['not a uri']],
  ['format uuid', { format: 'uuid' }, ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
  ['format ipv4', { format: 'ipv4' }, ['127.0.0.1'], ['256.0.0.1']],
  ['format unknown', { format: 'x-colour' }, ['anything'], []],
  ['items', { items: { type: 'integer' } }, [[], [1, 2]], [[1, 'a']]],
  ['prefixItems', { prefixItems: [{ type: 'string' }, { type: 'number' }] }, [['a', 1], ['a']], [[1, 1]]],
  ['prefixItems closed', { prefixItems: [{ type: 'string' }], items: false }, [['a'], []], [['a', 1]]],
  ['item counts', { minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
  [
    'uniqueItems',
    { uniqueItems: true },
    [[1, '1', { a: 1 }]],
    [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  ['contains', { contains: { const: 5 } }, [[1, 5]], [[1], []]],
  [
    'minContains',
    { contains: { type: 'number' }, minContains: 2, maxContains: 3 },
    [[1, 2]],
    [[1], [1, 2, 3, 4]],
  ],
  ['minContains 0', { contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
  ['required', { required: ['a'] }, [{ a: null }, 5], [{}, { b: 1 }]],
  ['required inherited', { required: ['toString'] }, [{ toString: 1 }], [{}]],
  ['required __proto__', { required: ['constructor'] }, [{ constructor: 1 }], [{}]],
  ['properties', { properties: { a: { type: 'number' } } }, [{}, { a: 1 }, { b: 'x' }], [{ a: 'x' }]],
  ['property false', { properties: { a: false } }, [{}, { b: 1 }], [{ a: 1 }]],
  [
    'additionalProperties',
    { properties: { a: true }, patternProperties: { '^x-': true }, additionalProperties: false },
    [{ a: 1, 'x-b': 2 }],
    [{ c: 1 }],
  ],
  [
    'patternProperties',
    { patternProperties: { '^n': { type: 'number' } } },
    [{ n1: 1, m: 'x' }],
    [{ n1: 'x' }],
  ],
  ['propertyNames', { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  ['property counts', { minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  [
    'dependentSchemas',
    { dependentSchemas: { a: { required: ['b'] } } },
    [{ c: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }],
  ],
  ['allOf', { allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]],
  ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 3, type: 'number' }] }, ['x', 3], [2, null]],
  ['oneOf', { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 5]],
  ['not', { not: { type: 'string' } }, [1], ['x']],
  [
    'if then else',
    {
      if: { properties: { k: { const: 'a' } }, required: ['k'] },
      then: { required: ['x'] },
      else: { required: ['y'] },
    },
    [
      { k: 'a', x: 1 },
      { k: 'b', y: 1 },
    ],
    [
      { k: 'a', y: 1 },
      { k: 'b', x: 1 },
    ],
  ],
  [
    'unevaluatedProperties',
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
  [
    'unevaluatedProperties through a reference',
    { $ref: '#/$defs/o', unevaluatedProperties: false, $defs: { o: { properties: { a: true } } } },
    [{ a: 1 }],
    [{ a: 1, b: 1 }],
  ],
  ['unevaluatedItems', { prefixItems: [{ const: 1 }], unevaluatedItems: false }, [[1]], [[1, 2]]],
  ['reference', { $ref: '#/$defs/n', $defs: { n: { type: 'number' } } }, [1], ['x']],
  [
    'reference with siblings',
    { $ref: '#/$defs/n', minimum: 3, $defs: { n: { type: 'number' } } },
    [3],
    [2, 'x'],
  ],
  [
    'recursion',
    { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } },
    [{ kids: [{ kids: [] }, {}] }],
    [{ kids: [{ kids: [1] }] }, { kids: 1 }],
  ],
  ['anchor', { $ref: '#n', $defs: { x: { $anchor: 'n', type: 'null' } } }, [null], [1]],
  [
    'nested $id',
    { $id: 'https://a.example/root', $ref: 'item', $defs: { i: { $id: 'item', type: 'string' } } },
    ['x'],
    [1],
  ],
  [
    'nested $id with a pointer of its own',
    {
      $ref: '#/$defs/i',
      $defs: { i: { $id: 'item', items: { $ref: '#/$defs/e' }, $defs: { e: { type: 'boolean' } } } },
    },
    [[true]],
    [[1]],
  ],
  ['pointer with escapes', { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': { const: 1 } } }, [1], [2]],
  ['pointer into unknown words', { $ref: '#/x-parts/p', 'x-parts': { p: { type: 'string' } } }, ['x'], [1]],
  [
    'dynamic reference',
    { $dynamicAnchor: 'node', type: 'object', properties: { next: { $dynamicRef: '#node' } } },
    [{ next: { next: {} } }],
    [{ next: { next: 1 } }],
  ],
  ['declared 2020-12', { $schema: D20, prefixItems: [{ const: 1 }] }, [[1]], [[2]]],
  ['2019-09 tuple', { $schema: D19, items: [{ const: 1 }], additionalItems: false }, [[1]], [[1, 2], [2]]],
  ['2019-09 ignores prefixItems', { $schema: D19, prefixItems: [{ const: 1 }] }, [[2]], []],
  [
    '2019-09 recursion',
    { $schema: D19, type: 'object', additionalProperties: { $recursiveRef: '#' } },
    [{ a: { b: {} } }],
    [{ a: { b: 1 } }],
  ],
  [
    'draft-07 tuple',
    { $schema: D7, items: [{ const: 1 }], additionalItems: { type: 'null' } },
    [[1, null]],
    [[1, 2]],
  ],
  [
    'draft-07 dependencies',
    { $schema: D7, dependencies: { a: ['b'], c: { required: ['d'] } } },
    [
      { a: 1, b: 1 },
      { c: 1, d: 1 },
    ],
    [{ a: 1 }, { c: 1 }],
  ],
  [
    'draft-07 keyword as dependency',
    {
      $schema: D7,
      dependencies: { type: { $ref: '#/definitions/x' } },
      definitions: { x: { required: ['y'] } },
    },
    [{ type: 1, y: 1 }],
    [{ type: 1 }],
  ],
  [
    'draft-07 reference alone',
    {
      $schema: D7,
      definitions: { n: { type: 'number' } },
      properties: { a: { $ref: '#/definitions/n', minimum: 5 } },
    },
    [{ a: 1 }],
    [{ a: 'x' }],
  ],
  [
    'draft-07 name',
    { $schema: D7, definitions: { n: { $id: '#num', type: 'number' } }, items: { $ref: '#num' } },
    [[1]],
    [['x']],
  ],
  ['draft-06 const', { $schema: D6, const: 'x', propertyNames: true }, ['x'], ['y']],
  [
    'draft-07 ignores newer words',
    { $schema: D7, dependentRequired: { a: ['b'] }, unevaluatedProperties: false },
    [{ a: 1 }],
    [],
  ],
  ['empty', {}, [1, null, 'x', [], {}], []],
  ['unknown words', { 'x-note': 1, title: 'T', default: 3, examples: [1] }, [1, 'x'], []],
  [
    'nested objects',
    {
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: 'array', items: { enum: ['x'] } } }, required: ['b'] },
      },
      required: ['a'],
    },
    [{ a: { b: ['x'] } }],
    [{ a: { b: ['y'] } }, { a: {} }, {}],
  ],
];

export const SCHEMA_CORPUS: readonly SchemaCase[] = ROWS.map(([about, schema, fits, fails]) => ({
  about,
  schema,
  fits,
  fails,
}));
