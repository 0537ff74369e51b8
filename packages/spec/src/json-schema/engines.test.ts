import { describe, expect, it, vi } from 'vitest';
import { DefaultJsonSchemaValidator as NodeDefault } from '@portico/spec/json-schema/default';
import { SCHEMA_CORPUS } from '../../../../testing/json-schema-corpus.ts';
import { AjvJsonSchemaValidator } from './ajv.ts';
import { CfWorkerJsonSchemaValidator } from './cf-worker.ts';
import { DefaultJsonSchemaValidator as WorkerDefault } from './default-validator.ts';
import type { JsonSchemaErrorCode } from './errors.ts';
import type { JsonSchemaType, jsonSchemaValidator } from './validator.ts';

const ENGINES: readonly (readonly [name: string, make: () => jsonSchemaValidator])[] = [
  ['ajv', () => new AjvJsonSchemaValidator()],
  ['cfworker', () => new CfWorkerJsonSchemaValidator()],
];

const codeOf = (run: () => unknown): JsonSchemaErrorCode | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as { code: JsonSchemaErrorCode }).code;
  }
};

const nest = (levels: number, wrap: (inner: object) => object): JsonSchemaType => {
  let schema: object = {};
  for (let level = 0; level < levels; level++) schema = wrap(schema);
  return schema as JsonSchemaType;
};

it('W248 has two hundred pairs for both engines to agree on', () => {
  const pairs = SCHEMA_CORPUS.reduce((sum, { fits, fails }) => sum + fits.length + fails.length, 0);
  expect(pairs).toBeGreaterThanOrEqual(200);
});

it('W248 is Ajv on Node and the interpreting engine elsewhere', () => {
  expect(new WorkerDefault()).toBeInstanceOf(CfWorkerJsonSchemaValidator);
  expect(NodeDefault).not.toBe(WorkerDefault);
  const compiled = vi.spyOn(globalThis, 'Function');
  expect(new NodeDefault().getValidator({ type: 'string' })('x').valid).toBe(true);
  // Only Ajv generates code.
  expect(compiled).toHaveBeenCalled();
  compiled.mockRestore();
});

describe.each(ENGINES)('%s', (_name, make) => {
  it.each(SCHEMA_CORPUS)('W149 W248 agrees with the corpus on: $about', ({ schema, fits, fails }) => {
    const validate = make().getValidator(schema);
    for (const value of fits) expect([value, validate(value).errorMessage]).toEqual([value, undefined]);
    for (const value of fails) expect([value, validate(value).valid]).toEqual([value, false]);
  });

  it('leaves the schema as it is, frozen or not', () => {
    const schema = Object.freeze({ type: 'object', properties: Object.freeze({ a: Object.freeze({}) }) });
    const before = JSON.stringify(schema);
    make().getValidator(schema)({ a: 1 });
    expect(JSON.stringify(schema)).toBe(before);
    expect(Reflect.ownKeys(schema.properties.a)).toEqual([]);
  });

  it('W149 refuses unknown dialects by name', () => {
    for (const $schema of ['http://json-schema.org/draft-04/schema#', 'urn:other', 5]) {
      const schema = { $schema } as JsonSchemaType;
      expect(codeOf(() => make().getValidator(schema))).toBe('UNSUPPORTED_DIALECT');
    }
  });

  it('W149 refuses references that lead nowhere, and never fetches', () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    for (const $ref of ['#/$defs/R', '#missing', 'https://internal.example.com/s.json', 'other.json', 7]) {
      const schema = { properties: { r: { $ref } } };
      expect(codeOf(() => make().getValidator(schema))).toBe('UNRESOLVED_REFERENCE');
    }
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });

  it('refuses schemas that come back to themselves with the same value', () => {
    const loops: JsonSchemaType[] = [
      { $ref: '#' },
      { anyOf: [{ $ref: '#' }, { type: 'null' }] },
      {
        $ref: '#/$defs/a',
        $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
      },
    ];
    for (const schema of loops) expect(codeOf(() => make().getValidator(schema))).toBe('REFERENCE_LOOP');
  });

  it('refuses keywords with values they cannot have', () => {
    const broken: object[] = [
      { type: 'strnig' },
      { type: [] },
      { required: 'a' },
      { properties: [] },
      { properties: { a: 5 } },
      { anyOf: [] },
      { pattern: '(' },
      { minLength: -1 },
      { multipleOf: 0 },
      { enum: 'a' },
      { items: [{}] },
      { patternProperties: { '[': {} } },
    ];
    for (const schema of broken) {
      expect([schema, codeOf(() => make().getValidator(schema as JsonSchemaType))]).toEqual([
        schema,
        'INVALID_KEYWORD',
      ]);
    }
  });

  it('W254 refuses schemas that are too long, too deep or too many', () => {
    const large: JsonSchemaType[] = [
      { description: 'x'.repeat(70_000) },
      nest(101, (inner) => ({ properties: { a: inner } })),
      nest(2000, (inner) => ({ allOf: [inner] })),
      nest(100_000, (inner) => ({ not: inner })),
      { anyOf: Array.from({ length: 2000 }, () => ({})) },
    ];
    for (const schema of large) expect(codeOf(() => make().getValidator(schema))).toBe('SCHEMA_TOO_LARGE');
    expect(codeOf(() => make().getValidator(nest(98, (inner) => ({ items: inner }))))).toBeUndefined();
  });

  it('W254 does not check values that are too large', () => {
    const validate = make().getValidator({});
    expect(validate('x'.repeat(1_048_577)).valid).toBe(false);
    expect(validate(['x'.repeat(600_000), 'x'.repeat(600_000)]).valid).toBe(false);
    expect(validate(Array.from({ length: 100_000 }, () => 1)).valid).toBe(false);
    expect(validate(Array.from({ length: 99_999 }, () => 1)).valid).toBe(true);
    expect(validate(undefined).valid).toBe(false);
  });

  it('takes values as they will be on the wire', () => {
    const schema = { properties: { when: { type: 'string' }, none: false }, required: ['when'] };
    const validate = make().getValidator(schema as JsonSchemaType);
    const value = { when: new Date(0), none: undefined };
    expect(validate(value)).toMatchObject({ valid: true, data: value });
    expect(validate({ when: undefined }).valid).toBe(false);
    expect(validate({ when: 1n }).valid).toBe(false);
  });

  it('W254 gives up on checks that would take too long', () => {
    const branches = Array.from({ length: 25 }, (_, index) => ({
      [`d${String(index)}`]: {
        allOf: [{ $ref: `#/$defs/d${String(index + 1)}` }, { $ref: `#/$defs/d${String(index + 1)}` }],
      },
    }));
    const bomb = {
      $ref: '#/$defs/d0',
      $defs: Object.assign({ d25: { type: 'string' } }, ...branches) as object,
    };
    expect(make().getValidator(bomb)('x')).toMatchObject({ valid: false });
    const fork = {
      anyOf: [
        { properties: { a: { $ref: '#' } }, required: ['z'] },
        { properties: { a: { $ref: '#' } }, required: ['y'] },
      ],
    };
    let deep: object = {};
    for (let level = 0; level < 60; level++) deep = { a: deep };
    expect(make().getValidator(fork)(deep)).toMatchObject({ valid: false });
    const wide = {
      items: { anyOf: Array.from({ length: 1900 }, (_, index) => ({ const: `k${String(index)}` })) },
    };
    expect(make().getValidator(wide)(Array.from({ length: 90_000 }, () => 'none'))).toMatchObject({
      valid: false,
    });
    expect(make().getValidator(wide)(['k1', 'k1899'])).toMatchObject({ valid: true });
    const unique = { uniqueItems: true };
    expect(make().getValidator(unique)(Array.from({ length: 50_000 }, (_, index) => [index]))).toMatchObject({
      valid: false,
    });
  });

  it('names the place and every fault of small values', () => {
    const validate = make().getValidator({
      type: 'object',
      properties: { n: { type: 'number' }, list: { items: { type: 'string' } } },
      required: ['r'],
      additionalProperties: false,
    });
    const { errorMessage } = validate({ n: 'x', list: [1], extra: 1 });
    for (const part of [/\bn\b/, /list\.0/, /\br\b/, /extra/]) expect(errorMessage).toMatch(part);
  });
});

it('lets an own engine decide about everything', () => {
  const seen: unknown[] = [];
  const compile = (schema: unknown) => {
    seen.push(schema);
    return Object.assign((value: unknown) => value === 1, { errors: ['no'] });
  };
  const validator = new AjvJsonSchemaValidator({ compile, errorsText: () => 'said no' });
  const validate = validator.getValidator({ $schema: 'urn:mine' });
  expect(seen).toEqual([{ $schema: 'urn:mine' }]);
  expect(validate(1).valid).toBe(true);
  expect(validate(2).errorMessage).toBe('said no');
  const forced = new CfWorkerJsonSchemaValidator({ draft: '4' });
  expect(forced.getValidator({ $schema: 'urn:mine', type: 'string' })(1).valid).toBe(false);
});
