import { isRawShape } from './schema/raw-shape.ts';
import type { StandardSchema } from './schema/standard-schema.ts';

/** Values offered for an argument, given what has been typed and which arguments are chosen. */
export type CompleteCallback = (
  value: string,
  context?: { readonly arguments?: Readonly<Record<string, string>> },
) => readonly string[] | Promise<readonly string[]>;

/** Global registry key, so that two copies of this package see each other's marks. */
const COMPLETE = Symbol.for('portico.mcp.complete');

/** A schema that `completable` marked: it looks and works as it did before. */
export type CompletableSchema<Schema extends StandardSchema> = Schema;

/**
 * Marks a prompt argument's schema with a source of completions. The schema object itself is
 * returned, so its type and behaviour stay the same.
 */
export function completable<Schema extends StandardSchema>(
  schema: Schema,
  complete: CompleteCallback,
): CompletableSchema<Schema> {
  Object.defineProperty(schema, COMPLETE, { value: complete, configurable: true });
  return schema;
}

/** True for a schema that `completable` marked itself, not one that wraps it. */
export function isCompletable(schema: unknown): boolean {
  return isObject(schema) && isCallback(Reflect.get(schema, COMPLETE));
}

/** How far the mark may lie below optional, default and similar wrappers. */
const MAX_WRAPPERS = 8;

/** Finds the completion source of one field of an object schema, also below optional wrappers. */
export function completionOf(schema: unknown, field: string): CompleteCallback | undefined {
  const shape = fieldsOf(schema);
  if (!isObject(shape) || !Object.hasOwn(shape, field)) return undefined;
  let candidate: unknown = Reflect.get(shape, field);
  for (let depth = 0; depth < MAX_WRAPPERS && isObject(candidate); depth++) {
    const mark: unknown = Reflect.get(candidate, COMPLETE);
    if (isCallback(mark)) return mark;
    candidate = member(member(candidate, 'def'), 'innerType') ?? member(candidate, 'wrapped');
  }
  return undefined;
}

/** True when at least one field of the schema has a completion source. */
export function hasCompletions(schema: unknown): boolean {
  const shape = fieldsOf(schema);
  if (!isObject(shape)) return false;
  return Object.keys(shape).some((field) => completionOf(schema, field) !== undefined);
}

/** The fields of an object schema: zod has them as `shape`, valibot as `entries`; a record is them. */
function fieldsOf(schema: unknown): unknown {
  return member(schema, 'shape') ?? member(schema, 'entries') ?? (isRawShape(schema) ? schema : undefined);
}

function member(value: unknown, key: string): unknown {
  return isObject(value) ? Reflect.get(value, key) : undefined;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isCallback(value: unknown): value is CompleteCallback {
  return typeof value === 'function';
}
