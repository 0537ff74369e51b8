import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@portico/spec/json-schema';
import { ServerError } from '../errors.ts';
import type { JsonSchema } from './standard-schema.ts';

/** The verdict on one value. */
export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/**
 * A check against a JSON Schema, compiled at its first use.
 * @throws ServerError `INVALID_SCHEMA`, at use, for a schema the validator refuses
 */
export function plainCheck(
  schema: JsonSchema,
  validator: () => jsonSchemaValidator,
): (value: unknown) => Validation {
  let validate: JsonSchemaValidator<unknown> | undefined;
  return (value) => {
    validate ??= compiled(schema, validator());
    const verdict = validate(value);
    return verdict.valid ? { ok: true, value } : { ok: false, message: verdict.errorMessage };
  };
}

/** @throws ServerError `INVALID_SCHEMA` for a schema the validator refuses */
export function compiled(schema: JsonSchema, validator: jsonSchemaValidator): JsonSchemaValidator<unknown> {
  try {
    return validator.getValidator(schema as JsonSchemaType);
  } catch (cause) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
    throw new ServerError('INVALID_SCHEMA', {
      message: cause instanceof Error ? cause.message : String(cause),
      data: { reason: typeof code === 'string' ? code : 'refused' },
      cause,
    });
  }
}
