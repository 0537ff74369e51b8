import { createRequire } from 'node:module';
import type * as Ajv from 'ajv/dist/2020.js';
import { AjvEngine } from '../json-schema/ajv-engine.ts';
import { boundedValidator } from '../json-schema/bounded-validator.ts';
import { CfWorkerJsonSchemaValidator } from '../json-schema/cf-worker.ts';
import { JSON_SCHEMA_LIMITS } from '../json-schema/limits.ts';
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '../json-schema/validator.ts';

/**
 * The default on Node: Ajv, loaded when the first schema is compiled, since loading it takes longer
 * than starting a small server. Programs bundled without Ajv get the other engine, whose verdicts
 * are the same.
 */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  #engine: AjvEngine | undefined;
  #other: CfWorkerJsonSchemaValidator | undefined;

  /** @throws JsonSchemaError for a schema that cannot be used */
  getValidator<Value>(schema: JsonSchemaType): JsonSchemaValidator<Value> {
    if (this.#engine === undefined && this.#other === undefined) this.#load();
    const engine = this.#engine;
    if (engine !== undefined) {
      return boundedValidator(schema, JSON_SCHEMA_LIMITS, (document) => engine.check(document));
    }
    return (this.#other ?? new CfWorkerJsonSchemaValidator()).getValidator(schema);
  }

  #load(): void {
    try {
      const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof Ajv;
      this.#engine = new AjvEngine(Ajv2020, JSON_SCHEMA_LIMITS.maxSteps);
    } catch {
      this.#other = new CfWorkerJsonSchemaValidator();
    }
  }
}
