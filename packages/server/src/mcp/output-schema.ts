import { isRecord } from '@portico/spec';
import type { JsonSchema } from '../schema/standard-schema.ts';

/** Revisions before 2026-07-28 know only objects as structured results; others are boxed here. */
const BOX_KEY = 'result';

/** True when every value of the schema is surely an object. */
export function hasObjectRoot(schema: JsonSchema): boolean {
  return schema['type'] === 'object';
}

/** The schema of a boxed value, with references into it moved along. */
export function boxedSchema(schema: JsonSchema): JsonSchema {
  const { $schema, ...rest } = schema;
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: 'object',
    properties: { [BOX_KEY]: moveReferences(rest) },
    required: [BOX_KEY],
  };
}

/** A value as legacy clients take it: objects as they are, anything else in a box. */
export function boxedValue(value: unknown, schema: JsonSchema | undefined): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (schema === undefined ? isObject : hasObjectRoot(schema)) return value;
  return { [BOX_KEY]: value };
}

/** Keywords whose members are schemas under names of the author's. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);

/** Keywords that hold values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** Below an `$id` of its own a reference points at that schema and stays. */
function moveReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(moveReferences);
  if (!isRecord(schema) || '$id' in schema) return schema;
  return mapped(schema, (key, member) => {
    if (key === '$ref' && typeof member === 'string' && member.startsWith('#')) return movedReference(member);
    if (VALUES.has(key)) return member;
    if (!SCHEMA_MAPS.has(key) || !isRecord(member)) return moveReferences(member);
    return mapped(member, (_name, each) => moveReferences(each));
  });
}

function mapped(
  record: Readonly<Record<string, unknown>>,
  change: (key: string, member: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, member]) => [key, change(key, member)]));
}

function movedReference(reference: string): string {
  const pointer = reference === '#' || reference.startsWith('#/');
  return pointer ? `#/properties/${BOX_KEY}${reference.slice(1)}` : reference;
}
