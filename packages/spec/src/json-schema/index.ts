export { CfWorkerJsonSchemaValidator } from './cf-worker.ts';
export type { CfWorkerSchemaDraft, CfWorkerValidatorOptions } from './cf-worker.ts';
export { dialectOf } from './dialect.ts';
export type { Dialect } from './dialect.ts';
export { JSON_SCHEMA_ERRORS, JsonSchemaError } from './errors.ts';
export type { JsonSchemaErrorCode } from './errors.ts';
export { JSON_SCHEMA_LIMITS } from './limits.ts';
export type { JsonSchemaLimits } from './limits.ts';
export { standardSchemaOf } from './standard-schema-of.ts';
export type {
  JsonSchemaType,
  JsonSchemaValidator,
  JsonSchemaValidatorResult,
  jsonSchemaValidator,
} from './validator.ts';
