import { type Schema, Validator } from '@cfworker/json-schema';
import { boundedValidator, complaintAt } from './bounded-validator.ts';
import { interpret } from './interpreter.ts';
import { JSON_SCHEMA_LIMITS, type JsonSchemaLimits } from './limits.ts';
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from './validator.ts';

/** Drafts that `@cfworker/json-schema` can be told to use. */
export type CfWorkerSchemaDraft = '4' | '7' | '2019-09' | '2020-12';

export interface CfWorkerValidatorOptions {
  /** Whether checking stops at the first fault. Default false: messages name several. */
  readonly shortcircuit?: boolean;
  /** Forces one draft for every schema, whatever it declares; the limits on schemas then do not apply. */
  readonly draft?: CfWorkerSchemaDraft;
  /** Overrides of the default limits. */
  readonly limits?: Partial<JsonSchemaLimits>;
}

/**
 * JSON Schema validation by `@cfworker/json-schema`: no code generation, so it works under any
 * content security policy. The default in browsers and workers.
 */
export class CfWorkerJsonSchemaValidator implements jsonSchemaValidator {
  readonly #options: CfWorkerValidatorOptions;
  readonly #limits: JsonSchemaLimits;

  constructor(options: CfWorkerValidatorOptions = {}) {
    this.#options = options;
    this.#limits = { ...JSON_SCHEMA_LIMITS, ...options.limits };
  }

  /** @throws JsonSchemaError for a schema that cannot be used */
  getValidator<Value>(schema: JsonSchemaType): JsonSchemaValidator<Value> {
    const { draft, shortcircuit = false } = this.#options;
    if (draft !== undefined) return forced(schema, draft, shortcircuit);
    return boundedValidator(schema, this.#limits, (document) =>
      interpret(document, { maxSteps: this.#limits.maxSteps, shortcircuit }),
    );
  }
}

function forced<Value>(
  schema: JsonSchemaType,
  draft: CfWorkerSchemaDraft,
  shortcircuit: boolean,
): JsonSchemaValidator<Value> {
  // The engine marks what it is given, so it gets a copy.
  const validator = new Validator(JSON.parse(JSON.stringify(schema)) as Schema, draft, shortcircuit);
  return (input) => {
    const { valid, errors } = validator.validate(input);
    if (valid) return { valid: true, data: input as Value, errorMessage: undefined };
    const named = errors.map(({ instanceLocation, error }) => complaintAt(instanceLocation, error));
    return { valid: false, data: undefined, errorMessage: named.join('; ') };
  };
}
