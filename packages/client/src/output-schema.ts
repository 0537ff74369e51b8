import type { CompileSchema } from './tool-catalogue.ts';

/** What the check of a value comes to. */
export type JsonSchemaValidatorResult<T> =
  | { readonly valid: true; readonly data: T; readonly errorMessage: undefined }
  | { readonly valid: false; readonly data: undefined; readonly errorMessage: string };

/** Checks values against one schema. */
export type JsonSchemaValidator<T> = (input: unknown) => JsonSchemaValidatorResult<T>;

/** Makes checks of JSON Schemas; may throw for schemas it cannot use. */
// oxlint-disable-next-line typescript/naming-convention -- the published name
export interface jsonSchemaValidator {
  getValidator<T>(schema: object): JsonSchemaValidator<T>;
}

/** Compiles output schemas with the validator that was given. */
export function compileWith(validator: jsonSchemaValidator | undefined): CompileSchema {
  return (schema) => {
    const validate = validator?.getValidator(schema);
    return (value) => {
      const outcome = validate?.(value);
      return outcome === undefined || outcome.valid ? undefined : outcome.errorMessage;
    };
  };
}
