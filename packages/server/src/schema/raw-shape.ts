import { isRecord } from '@portico/spec';
import { ServerError } from '../errors.ts';
import { convertedSchema } from './convert-schema.ts';
import type { SchemaDirection } from './convert-schema.ts';
import { isStandardSchema, type StandardIssue, type StandardSchema } from './standard-schema.ts';

/** Field schemas by name, as early versions of the SDK took them in place of an object schema. */
export type RawShape = Readonly<Record<string, StandardSchema>>;

/** True for a record whose members are all schemas of a library. */
export function isRawShape(value: unknown): value is RawShape {
  if (!isRecord(value) || isStandardSchema(value)) return false;
  const fields = Object.values(value);
  return fields.length > 0 && fields.every(isStandardSchema);
}

type Fields = Record<string, unknown>;

/** The object schema that a record of field schemas stands for. Members it does not name are dropped. */
export function objectFromShape(shape: RawShape): StandardSchema<unknown, Fields> {
  const entries = Object.entries(shape);
  const json = (direction: SchemaDirection): Fields => shapeJson(entries, direction);
  return {
    '~standard': {
      version: 1,
      vendor: 'raw-shape',
      validate: (value) => validateShape(entries, value),
      jsonSchema: { input: () => json('input'), output: () => json('output') },
    },
  };
}

type Outcome =
  | { readonly value: Fields; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

function validateShape(
  entries: readonly (readonly [string, StandardSchema])[],
  value: unknown,
): Outcome | Promise<Outcome> {
  if (!isRecord(value)) return { issues: [{ message: 'expected an object' }] };
  const outcomes = entries.map(([name, field]) =>
    field['~standard'].validate(Object.hasOwn(value, name) ? value[name] : undefined),
  );
  const joined = (settled: readonly Awaited<(typeof outcomes)[number]>[]): Outcome => {
    const issues: StandardIssue[] = [];
    const fields: Fields = {};
    for (const [index, [name]] of entries.entries()) {
      const outcome = settled[index];
      if (outcome?.issues !== undefined) {
        issues.push(...outcome.issues.map((issue) => ({ ...issue, path: [name, ...(issue.path ?? [])] })));
      } else if (outcome?.value !== undefined || Object.hasOwn(value, name)) {
        Object.defineProperty(fields, name, {
          value: outcome?.value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
    }
    return issues.length > 0 ? { issues } : { value: fields };
  };
  const isReady = (each: (typeof outcomes)[number]): each is Awaited<typeof each> =>
    !(each instanceof Promise);
  return outcomes.every(isReady)
    ? joined(outcomes)
    : Promise.all(outcomes.map((each) => Promise.resolve(each))).then(joined);
}

function shapeJson(
  entries: readonly (readonly [string, StandardSchema])[],
  direction: SchemaDirection,
): Fields {
  const properties: Fields = {};
  const required: string[] = [];
  for (const [name, field] of entries) {
    const { $schema: _dialect, ...json } = convertedSchema(field, direction);
    if (JSON.stringify(json).includes('"$ref":"#')) {
      throw new ServerError('INVALID_SCHEMA', {
        message: `the field ${name} refers to itself; give an object schema instead of a record of fields`,
      });
    }
    properties[name] = json;
    if (!isOptional(field, direction)) required.push(name);
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
  };
}

/** zod says it outright; for others, a field that takes undefined may be left out. */
function isOptional(field: StandardSchema, direction: SchemaDirection): boolean {
  const internals: unknown = Reflect.get(field, '_zod');
  if (isRecord(internals)) return internals[direction === 'input' ? 'optin' : 'optout'] === 'optional';
  const outcome = field['~standard'].validate(undefined);
  return !(outcome instanceof Promise) && outcome.issues === undefined;
}
