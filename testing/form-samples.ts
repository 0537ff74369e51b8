/** A schema as tools use it, with arguments that fit and, where it matters, the first complaint about ones that do not. */
export interface FormSample {
  readonly about: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly good: unknown;
  readonly bad?: { readonly value: unknown; readonly pointer: string; readonly keyword: string };
}

const object = (properties: unknown, required: readonly string[] = []): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
});
// oxlint-disable-next-line max-params -- a table reads best with one short row a sample
const one = (
  about: string,
  schema: unknown,
  good: unknown,
  bad?: readonly [unknown, string],
): FormSample => ({
  about,
  schema: object({ it: schema }, ['it']),
  good: { it: good },
  ...(bad === undefined ? {} : { bad: { value: { it: bad[0] }, pointer: '/it', keyword: bad[1] } }),
});

const KINDS = {
  oneOf: [
    {
      title: 'Circle',
      ...object({ kind: { const: 'circle' }, radius: { type: 'number' } }, ['kind', 'radius']),
    },
    {
      title: 'Box',
      ...object({ kind: { const: 'box' }, width: { type: 'number' }, note: { type: 'string' } }, [
        'kind',
        'width',
      ]),
    },
  ],
};
const TREE = {
  $ref: '#/$defs/tree',
  $defs: {
    tree: object({ name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } }, [
      'name',
    ]),
  },
};

export const FORM_SAMPLES: readonly FormSample[] = [
  { about: 'no properties', schema: { type: 'object' }, good: {} },
  { about: 'nothing at all', schema: {}, good: { a: 1 } },
  one('text', { type: 'string' }, 'plain', [7, 'type']),
  one('text with quotes, backslashes and entities', { type: 'string' }, '"a\\n" &amp; <b>\\u0041</b>'),
  one('text with line breaks and tabs', { type: 'string' }, 'one\n\ttwo\n'),
  one('text with a carriage return', { type: 'string' }, 'one\r\ntwo'),
  one('empty text', { type: 'string' }, ''),
  one('text that looks like JSON', { type: 'string' }, '{"a": [1, 2]}'),
  one('text that looks like a number', { type: 'string' }, '007'),
  one('text of emoji and combining marks', { type: 'string' }, '👩‍👩‍👧 é ﷽'),
  one('text of a least length', { type: 'string', minLength: 3 }, 'abc', ['ab', 'minLength']),
  one('text of a greatest length', { type: 'string', maxLength: 2 }, 'ab', ['abc', 'maxLength']),
  one('text of a pattern', { type: 'string', pattern: '^[a-z]+$' }, 'abc', ['A1', 'pattern']),
  one('date', { type: 'string', format: 'date' }, '2026-02-28', ['2026-02-31', 'format']),
  one('date and time', { type: 'string', format: 'date-time' }, '2026-02-28T10:00:00Z', [
    'yesterday',
    'format',
  ]),
  one('mail address', { type: 'string', format: 'email' }, 'a@example.com', ['a at b', 'format']),
  one('address', { type: 'string', format: 'uri' }, 'https://example.com/?q=%20', [
    'not an address',
    'format',
  ]),
  one('unknown format', { type: 'string', format: 'colour-of-mood' }, 'teal'),
  one('number', { type: 'number' }, -2.5e-7, ['1', 'type']),
  one('number zero', { type: 'number' }, 0),
  one('number with a least value', { type: 'number', minimum: 1 }, 1, [0, 'minimum']),
  one('number below a bound', { type: 'number', exclusiveMaximum: 10 }, 9.99, [10, 'exclusiveMaximum']),
  one('number of a step', { type: 'number', multipleOf: 5 }, 15, [7, 'multipleOf']),
  one('integer', { type: 'integer' }, 9_007_199_254_740_991, [1.5, 'type']),
  one('boolean', { type: 'boolean' }, false, ['no', 'type']),
  one('enum of texts', { enum: ['a', 'b c', ''] }, '', ['z', 'enum']),
  one('enum of mixed kinds', { enum: [1, '1', true, null, [1], { a: 1 }] }, { a: 1 }, [2, 'enum']),
  one('enum with names', { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] }, 'g'),
  one(
    'choice of titled constants',
    {
      oneOf: [
        { const: 1, title: 'One' },
        { const: 2, title: 'Two' },
      ],
    },
    2,
    [3, 'oneOf'],
  ),
  one('constant', { const: 'v1' }, 'v1', ['v2', 'const']),
  one('list of texts', { type: 'array', items: { type: 'string' } }, ['a', '', 'a']),
  one('list without item schema', { type: 'array' }, [1, 'a', null]),
  one(
    'list of a least length',
    { type: 'array', items: { type: 'number' }, minItems: 2 },
    [1, 2],
    [[1], 'minItems'],
  ),
  one(
    'list without doubles',
    { type: 'array', items: { type: 'number' }, uniqueItems: true },
    [1, 2],
    [[1, 1], 'uniqueItems'],
  ),
  one('list of lists', { type: 'array', items: { type: 'array', items: { type: 'integer' } } }, [[], [1, 2]]),
  one('list of objects', { type: 'array', items: object({ x: { type: 'number' } }, ['x']) }, [
    { x: 1 },
    { x: 2, y: 3 },
  ]),
  one('tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }, [
    'a',
    1,
  ]),
  one('nested object', object({ a: object({ b: { type: 'string' } }, ['b']) }), { a: { b: 'deep' } }),
  one(
    'object of free names',
    { type: 'object', additionalProperties: { type: 'number' } },
    { 'x/y~z': 1, '': 2 },
  ),
  one(
    'object with names like those of prototypes',
    object({ constructor: { type: 'string' }, toString: { type: 'string' } }),
    { constructor: 'c', toString: 't' },
  ),
  one(
    'object without other names',
    { ...object({ a: { type: 'string' } }), additionalProperties: false },
    { a: 'x' },
  ),
  one(
    'object with patterned names',
    { type: 'object', patternProperties: { '^x': { type: 'number' } } },
    { xa: 1 },
  ),
  one('nullable by type', { type: ['string', 'null'] }, null),
  one('nullable by anyOf', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, null),
  one(
    'nullable by anyOf, with a value',
    { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
    4,
  ),
  one('nullable object', { anyOf: [object({ a: { type: 'string' } }), { type: 'null' }] }, { a: 'x' }),
  one('nullable list', { type: ['array', 'null'], items: { type: 'string' } }, ['x']),
  one('nullable enum', { enum: ['a', null] }, null),
  one('several types', { type: ['string', 'number', 'boolean'] }, 3, [[], 'type']),
  one('tagged union', KINDS, { kind: 'box', width: 2, note: 'n' }),
  one('tagged union with a part missing', KINDS, { kind: 'circle', radius: 1 }),
  one('untagged union', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, ['a']),
  one(
    'union inside a nullable',
    { anyOf: [...KINDS.oneOf, { type: 'null' }] },
    { kind: 'circle', radius: 2 },
  ),
  {
    about: 'reference',
    schema: {
      ...object({ it: { $ref: '#/$defs/id' } }, ['it']),
      $defs: { id: { type: 'integer', minimum: 1 } },
    },
    good: { it: 4 },
    bad: { value: { it: 0 }, pointer: '/it', keyword: 'minimum' },
  },
  {
    about: 'reference by the older name',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({ it: { $ref: '#/definitions/id' } }),
      definitions: { id: { type: 'string' } },
    },
    good: { it: 'x' },
  },
  {
    about: 'schema that contains itself',
    schema: { ...object({ it: TREE }, ['it']), $defs: TREE.$defs },
    good: { it: { name: 'root', children: [{ name: 'leaf', children: [] }] } },
  },
  one('reference that leads nowhere', { $ref: '#/nowhere' }, { any: 'thing' }),
  one('reference to another document', { $ref: 'https://example.com/schema.json' }, 'anything'),
  one(
    'parts of allOf',
    { allOf: [object({ a: { type: 'string' } }, ['a']), object({ b: { type: 'number' } }, ['b'])] },
    { a: 'x', b: 1 },
  ),
  one('default', { type: 'string', default: 'preset' }, 'other'),
  one('boolean schema', true, { any: ['thing'] }),
  one('type of a newer specification', { type: 'decimal' }, '1.10'),
  one(
    'condition',
    {
      ...object({ kind: { type: 'string' }, more: { type: 'string' } }),
      if: { properties: { kind: { const: 'x' } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['more'] },
    },
    { kind: 'x', more: 'y' },
  ),
  {
    about: 'field that is missing',
    schema: object({ a: { type: 'string' }, 'b/c': { type: 'string' } }, ['a', 'b/c']),
    good: { a: '', 'b/c': '' },
    bad: { value: { a: '' }, pointer: '/b~1c', keyword: 'required' },
  },
  {
    about: 'field nested in a list',
    schema: object({ rows: { type: 'array', items: object({ n: { type: 'integer' } }, ['n']) } }),
    good: { rows: [{ n: 1 }] },
    bad: { value: { rows: [{ n: 1 }, { n: 'x' }] }, pointer: '/rows/1/n', keyword: 'type' },
  },
  {
    about: 'the meant branch of a union',
    schema: object({ it: KINDS }, ['it']),
    good: { it: { kind: 'box', width: 1 } },
    bad: { value: { it: { kind: 'box' } }, pointer: '/it/width', keyword: 'required' },
  },
];
