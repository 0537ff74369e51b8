import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { AjvEngine } from './ajv-engine.ts';
import { boundedValidator } from './bounded-validator.ts';
import { JSON_SCHEMA_LIMITS, type JsonSchemaLimits } from './limits.ts';
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from './validator.ts';

/** What is used of an Ajv instance, so that any version of it will do. */
export interface AjvLike {
  compile(schema: object | boolean): { (value: unknown): unknown; errors?: unknown };
  errorsText(errors?: unknown): string;
}

/**
 * JSON Schema validation by Ajv, for all supported dialects. It generates code: fast, but refused
 * by strict content security policies. The default on Node.
 *
 * A given instance is used as it is, for every schema: its dialect, its formats, no limits.
 */
export class AjvJsonSchemaValidator implements jsonSchemaValidator {
  readonly #ajv: AjvLike | undefined;
  readonly #limits: JsonSchemaLimits;
  #engine: AjvEngine | undefined;

  constructor(ajv?: AjvLike, limits?: Partial<JsonSchemaLimits>) {
    this.#ajv = ajv;
    this.#limits = { ...JSON_SCHEMA_LIMITS, ...limits };
  }

  /** @throws JsonSchemaError for a schema that cannot be used */
  getValidator<Value>(schema: JsonSchemaType): JsonSchemaValidator<Value> {
    if (this.#ajv !== undefined) return byInstance(this.#ajv, schema);
    this.#engine ??= new AjvEngine(Ajv2020, this.#limits.maxSteps);
    const engine = this.#engine;
    return boundedValidator(schema, this.#limits, (document) => engine.check(document));
  }
}

function byInstance<Value>(ajv: AjvLike, schema: JsonSchemaType): JsonSchemaValidator<Value> {
  const validate = ajv.compile(schema);
  return (input) =>
    validate(input) === true
      ? { valid: true, data: input as Value, errorMessage: undefined }
      : { valid: false, data: undefined, errorMessage: ajv.errorsText(validate.errors) };
}

/** Registers the usual formats on an Ajv instance of one's own. */
export const addFormats: typeof formatsPlugin.default = formatsPlugin.default;

/** Ajv for draft 7, to configure an instance of one's own. */
export { Ajv };
