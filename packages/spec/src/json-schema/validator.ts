/** A JSON Schema document: an object, or `true` and `false` for anything and nothing. */
export type JsonSchemaType = boolean | { readonly [keyword: string]: unknown };

/** The verdict on one value. A value over the limits is not valid either, and its message says so. */
export type JsonSchemaValidatorResult<Value> =
  | { readonly valid: true; readonly data: Value; readonly errorMessage: undefined }
  | { readonly valid: false; readonly data: undefined; readonly errorMessage: string };

/** Checks one value after the other against the schema it was made for. Never throws. */
export type JsonSchemaValidator<Value> = (input: unknown) => JsonSchemaValidatorResult<Value>;

/** Makes validators: the port between the protocol packages and a JSON Schema engine. */
// oxlint-disable-next-line typescript/naming-convention -- the official SDK's name, in its spelling
export interface jsonSchemaValidator {
  /**
   * Compiles a schema. Costly: keep what it returns.
   * @throws JsonSchemaError for a schema that cannot be used
   */
  getValidator<Value>(schema: JsonSchemaType): JsonSchemaValidator<Value>;
}
