import { isRecord } from '@portico/spec';
import { ServerError } from '../errors.ts';
import { compileJsonSchema, type Validation } from './json-schema-validation.ts';
import {
  isStandardSchema,
  type JsonSchema,
  type SchemaDefinition,
  type StandardIssue,
  type StandardSchema,
} from './standard-schema.ts';

/** Whether a schema describes what comes in (before defaults and coercions) or what goes out. */
export type SchemaDirection = 'input' | 'output';

/** A definition that has been made ready: its wire form and its check, both worked out once. */
export interface CompiledSchema {
  /**
   * The JSON Schema to advertise.
   * @throws ServerError `INVALID_SCHEMA` when the definition has no JSON Schema form
   */
  readonly json: JsonSchema;
  /**
   * Checks a value. The answer is immediate where the library allows it.
   * @throws ServerError `INVALID_SCHEMA` when the definition cannot be used for checking
   */
  validate(value: unknown): Validation | Promise<Validation>;
}

/** Makes definitions ready, each once for as long as the definition object lives. */
export interface SchemaCompiler {
  compile(definition: SchemaDefinition, direction: SchemaDirection): CompiledSchema;
}

const MAX_NAMED_ISSUES = 5;

/**
 * Creates a compiler with a memory of its own. Hand one compiler to many servers that share
 * definition objects and each definition is still converted only once.
 */
export function createSchemaCompiler(): SchemaCompiler {
  const known = {
    input: new WeakMap<object, CompiledSchema>(),
    output: new WeakMap<object, CompiledSchema>(),
  };
  return {
    compile(definition, direction) {
      const memory = known[direction];
      const existing = memory.get(definition);
      if (existing !== undefined) return existing;
      const compiled = isStandardSchema(definition)
        ? compileStandard(definition, direction)
        : compilePlain(definition, direction);
      memory.set(definition, compiled);
      return compiled;
    },
  };
}

function compileStandard(schema: StandardSchema, direction: SchemaDirection): CompiledSchema {
  let json: JsonSchema | undefined;
  return {
    get json() {
      json ??= withObjectRoot(convert(schema, direction), direction);
      return json;
    },
    validate(value) {
      const outcome = schema['~standard'].validate(value);
      return outcome instanceof Promise ? outcome.then(verdict) : verdict(outcome);
    },
  };
}

function compilePlain(schema: JsonSchema, direction: SchemaDirection): CompiledSchema {
  let ready: ((value: unknown) => Validation) | undefined;
  return {
    get json() {
      return withObjectRoot(schema, direction);
    },
    validate(value) {
      if (ready !== undefined) return ready(value);
      return compileJsonSchema(schema).then((check) => {
        ready = check;
        return check(value);
      });
    },
  };
}

/** Prefers the standard's own converter; `toJSONSchema` is the older zod member of the same job. */
function convert(schema: StandardSchema, direction: SchemaDirection): JsonSchema {
  const standard = schema['~standard'];
  try {
    if (standard.jsonSchema !== undefined) {
      return standard.jsonSchema[direction]({ target: 'draft-2020-12' });
    }
    const method: unknown = Reflect.get(schema, 'toJSONSchema');
    if (typeof method === 'function') {
      const converted: unknown = Reflect.apply(method, schema, [{ io: direction }]);
      if (isRecord(converted)) return converted;
    }
  } catch (cause) {
    throw new ServerError('INVALID_SCHEMA', {
      message: `the ${standard.vendor} schema has no JSON Schema form: ${messageOf(cause)}`,
      cause,
    });
  }
  throw new ServerError('INVALID_SCHEMA', {
    message: `schemas of ${standard.vendor} cannot be converted to JSON Schema`,
  });
}

/** Tools and prompts take an object; unions of objects lack the word and get it here. */
function withObjectRoot(schema: JsonSchema, direction: SchemaDirection): JsonSchema {
  if (direction === 'output' || schema['type'] === 'object') return schema;
  const composed = ['anyOf', 'oneOf', 'allOf', '$ref', 'properties'].some((key) => key in schema);
  const empty = Object.keys(schema).every((key) => key === '$schema');
  if (schema['type'] === undefined && (composed || empty)) return { type: 'object', ...schema };
  throw new ServerError('INVALID_SCHEMA', {
    message: `an input schema describes an object, not ${JSON.stringify(schema['type'])}`,
  });
}

function verdict(
  outcome:
    | { readonly value: unknown; readonly issues?: undefined }
    | {
        readonly issues: readonly StandardIssue[];
      },
): Validation {
  if (outcome.issues === undefined) return { ok: true, value: outcome.value };
  const named = outcome.issues.slice(0, MAX_NAMED_ISSUES).map(describe);
  return { ok: false, message: named.join('; ') || 'The value does not match its schema.' };
}

function describe(issue: StandardIssue): string {
  const path = (issue.path ?? [])
    .map((segment) => String(typeof segment === 'object' ? segment.key : segment))
    .join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
