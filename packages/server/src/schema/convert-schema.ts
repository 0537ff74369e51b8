import { isRecord } from '@portico/spec';
import { ServerError } from '../errors.ts';
import type { JsonSchema, StandardSchema } from './standard-schema.ts';

/** Whether a schema describes what comes in (before defaults and coercions) or what goes out. */
export type SchemaDirection = 'input' | 'output';

/**
 * What has been converted, by the schema object. A memo, no state: the same object always converts
 * to the same document, and servers made for each request would convert everything each time.
 */
const CONVERTED = {
  input: new WeakMap<object, JsonSchema>(),
  output: new WeakMap<object, JsonSchema>(),
} as const;

/**
 * The JSON Schema form of a library's schema, by the standard's own converter or, in its absence,
 * by the member `toJSONSchema` that zod has for the same job.
 *
 * @throws ServerError `INVALID_SCHEMA` naming the library and what it cannot express
 */
export function convertedSchema(schema: StandardSchema, direction: SchemaDirection): JsonSchema {
  const known = CONVERTED[direction].get(schema);
  if (known !== undefined) return known;
  const converted = convert(schema, direction);
  CONVERTED[direction].set(schema, converted);
  return converted;
}

function convert(schema: StandardSchema, direction: SchemaDirection): JsonSchema {
  const { vendor, jsonSchema } = schema['~standard'];
  try {
    if (jsonSchema !== undefined) return jsonSchema[direction]({ target: 'draft-2020-12' });
    const method: unknown = Reflect.get(schema, 'toJSONSchema');
    if (typeof method === 'function') {
      const converted: unknown = Reflect.apply(method, schema, [{ io: direction }]);
      if (isRecord(converted)) return converted;
    }
  } catch (cause) {
    throw new ServerError('INVALID_SCHEMA', {
      message: `the ${vendor} schema has no JSON Schema form: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    });
  }
  throw new ServerError('INVALID_SCHEMA', {
    message: `${vendor} schemas cannot be converted: ${advice(vendor)}`,
  });
}

function advice(vendor: string): string {
  if (vendor === 'zod') return 'zod 4.2 or later is needed';
  if (vendor === 'valibot') return 'wrap it with toStandardJsonSchema of @valibot/to-json-schema';
  return 'the library offers no JSON Schema; give one with fromJsonSchema';
}

/**
 * The JSON Schema of arguments: an object. Unions of objects lack the word and get it here.
 * @throws ServerError `INVALID_SCHEMA` for anything that is surely no object
 */
export function withObjectRoot(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (type === 'object') return schema;
  if (type === undefined && !['anyOf', 'oneOf'].some((key) => hasOtherBranch(schema[key]))) {
    return { type: 'object', ...schema };
  }
  throw new ServerError('INVALID_SCHEMA', {
    message: `arguments are an object, not ${type === undefined ? 'a choice of other types' : JSON.stringify(type)}`,
  });
}

function hasOtherBranch(branches: unknown): boolean {
  if (!Array.isArray(branches)) return false;
  return branches.some(
    (branch) => isRecord(branch) && branch['type'] !== undefined && branch['type'] !== 'object',
  );
}
