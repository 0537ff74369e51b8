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

/** Below an `$id` of its own a reference points at that schema and stays. */
function moveReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moveReferences);
  if (typeof value !== 'object' || value === null) return value;
  if ('$id' in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === '$ref' && typeof member === 'string' && member.startsWith('#')) {
        return [key, movedReference(member)];
      }
      return [key, moveReferences(member)];
    }),
  );
}

function movedReference(reference: string): string {
  const pointer = reference === '#' || reference.startsWith('#/');
  return pointer ? `#/properties/${BOX_KEY}${reference.slice(1)}` : reference;
}
