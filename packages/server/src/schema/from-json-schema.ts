import { standardSchemaOf, type jsonSchemaValidator } from '@portico/spec/json-schema';
import { DefaultJsonSchemaValidator } from '@portico/spec/json-schema/default';
import { compiled } from './plain-schema.ts';
import type { JsonSchema, StandardSchema } from './standard-schema.ts';

/**
 * Makes a JSON Schema usable wherever a Standard Schema is: for tools, prompts and form answers.
 *
 * @param validator what checks values. Default: Ajv on Node, `@cfworker/json-schema` elsewhere
 * @throws ServerError `INVALID_SCHEMA`, at the first check, for a schema that cannot be used
 */
export function fromJsonSchema<Value = unknown>(
  schema: JsonSchema,
  validator?: jsonSchemaValidator,
): StandardSchema<Value, Value> {
  return standardSchemaOf<Value>(schema, () =>
    compiled(schema, validator ?? new DefaultJsonSchemaValidator()),
  );
}
