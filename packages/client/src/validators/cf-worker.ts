export { CfWorkerJsonSchemaValidator } from '@portico/spec/json-schema';
export type { CfWorkerSchemaDraft, CfWorkerValidatorOptions } from '@portico/spec/json-schema';
