import type { jsonSchemaValidator } from '@portico/spec/json-schema';
import { DefaultJsonSchemaValidator } from '@portico/spec/json-schema/default';
import { ServerError } from '../errors.ts';
import { convertedSchema, type SchemaDirection, withObjectRoot } from './convert-schema.ts';
import { plainCheck, type Validation } from './plain-schema.ts';
import { isRawShape, objectFromShape } from './raw-shape.ts';
import {
  isStandardSchema,
  type JsonSchema,
  type SchemaDefinition,
  type StandardIssue,
  type StandardSchema,
} from './standard-schema.ts';

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
 * definition objects and each definition is still made ready only once.
 *
 * @param validator checks plain JSON Schemas. Default: Ajv on Node, `@cfworker/json-schema` elsewhere
 */
export function createSchemaCompiler(validator?: jsonSchemaValidator): SchemaCompiler {
  const known = {
    input: new WeakMap<object, CompiledSchema>(),
    output: new WeakMap<object, CompiledSchema>(),
  };
  let engine = validator;
  const engineAtUse = (): jsonSchemaValidator => (engine ??= new DefaultJsonSchemaValidator());
  return {
    compile(definition, direction) {
      const memory = known[direction];
      const existing = memory.get(definition);
      if (existing !== undefined) return existing;
      const compiled = compileDefinition(definition, direction, engineAtUse);
      memory.set(definition, compiled);
      return compiled;
    },
  };
}

function compileDefinition(
  definition: SchemaDefinition,
  direction: SchemaDirection,
  engine: () => jsonSchemaValidator,
): CompiledSchema {
  if (isStandardSchema(definition)) return compileStandard(definition, direction);
  if (isRawShape(definition)) return compileStandard(objectFromShape(definition), direction);
  const check = plainCheck(definition, engine);
  return {
    get json() {
      return direction === 'input' ? withObjectRoot(definition) : definition;
    },
    validate: check,
  };
}

function compileStandard(schema: StandardSchema, direction: SchemaDirection): CompiledSchema {
  let json: JsonSchema | undefined;
  return {
    get json() {
      if (json === undefined) {
        const converted = convertedSchema(schema, direction);
        json = direction === 'input' ? withObjectRoot(converted) : converted;
      }
      return json;
    },
    validate(value) {
      const outcome = schema['~standard'].validate(value);
      return outcome instanceof Promise ? outcome.then(verdict) : verdict(outcome);
    },
  };
}

/**
 * What has been found usable, by the schema object: servers made for each request register the same
 * schemas each time. A memo, no state.
 */
const USABLE = { input: new WeakSet<object>(), output: new WeakSet<object>() } as const;

/** What a schema is for: `part` and `name` are put together only for an error. */
interface UsableContext {
  readonly compiler: SchemaCompiler;
  readonly part: string;
  readonly name: string;
}

/**
 * Refuses at registration what could never work. Plain JSON Schemas are not compiled here: a fault
 * in one shows when its tool is used, and costs only that tool.
 *
 * @throws ServerError `INVALID_SCHEMA` naming what the schema is for and the cause
 */
export function assertUsable(
  definition: unknown,
  direction: SchemaDirection,
  { compiler, part, name }: UsableContext,
): void {
  if (definition === undefined) return;
  const usable: WeakSet<object> = USABLE[direction];
  if (typeof definition === 'object' && definition !== null && usable.has(definition)) return;
  try {
    if (!isDefinition(definition)) {
      throw new ServerError('INVALID_SCHEMA', {
        message: 'it is neither a Standard Schema nor a JSON Schema; of zod, 4.2 or later is needed',
      });
    }
    // Reading it converts it; the compiler keeps what comes out for the list.
    void compiler.compile(definition, direction).json;
    usable.add(definition);
  } catch (cause) {
    throw new ServerError('INVALID_SCHEMA', {
      message: `the ${part} ${name} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    });
  }
}

function isDefinition(value: unknown): value is SchemaDefinition {
  if (isStandardSchema(value)) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !('_def' in value) && !Object.values(value).some(hasLegacyMark);
}

/** Schemas of zod before the Standard Schema interface. */
function hasLegacyMark(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '_def' in value && !isStandardSchema(value);
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
