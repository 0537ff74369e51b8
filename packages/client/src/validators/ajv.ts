export { addFormats, Ajv, AjvJsonSchemaValidator } from '@portico/spec/json-schema/ajv';
export type { AjvLike } from '@portico/spec/json-schema/ajv';
