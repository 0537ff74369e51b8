import { SdkError } from '@portico/spec';
import type { StandardSchemaWithJSON } from '@portico/spec';
import { standardSchemaOf } from '@portico/spec/json-schema';
import type { JsonSchemaType, jsonSchemaValidator } from '@portico/spec/json-schema';
import { DefaultJsonSchemaValidator } from '@portico/spec/json-schema/default';

/**
 * Makes a JSON Schema usable wherever a Standard Schema is, such as for handlers of vendors' methods.
 *
 * @param validator what checks values. Default: Ajv on Node, `@cfworker/json-schema` elsewhere
 * @throws SdkError `INVALID_SCHEMA`, at the first check, for a schema that cannot be used
 */
export function fromJsonSchema<Value = unknown>(
  schema: Readonly<Record<string, unknown>>,
  validator?: jsonSchemaValidator,
): StandardSchemaWithJSON<Value> {
  return standardSchemaOf<Value>(schema, () => {
    try {
      return (validator ?? new DefaultJsonSchemaValidator()).getValidator(schema as JsonSchemaType);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new SdkError('INVALID_SCHEMA', { message, cause });
    }
  });
}
