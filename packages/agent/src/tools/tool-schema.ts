import type { ModelTool } from '../provider/model-provider.ts';

/** Largest schema of one tool, in characters of JSON. */
const MAX_SCHEMA_CHARS = 262_144;
/** Deepest nesting of a schema. */
const MAX_SCHEMA_DEPTH = 64;
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const COMBINATORS = ['oneOf', 'anyOf', 'allOf'] as const;

type Schema = Readonly<Record<string, unknown>>;

export type AdaptedSchema =
  | { readonly ok: true; readonly schema: ModelTool['input_schema'] }
  | { readonly ok: false; readonly reason: string };

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const partOf = (value: unknown): Schema => (isSchema(value) ? value : {});

const namesOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];

/** Follows a pointer such as `#/$defs/point` inside the schema. */
function lookUp(root: Schema, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isSchema(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

/** The schema with every reference that leads out of it, or nowhere, replaced by "anything". */
function closed(value: unknown, root: Schema, depth = 0): unknown {
  if (depth > MAX_SCHEMA_DEPTH) return {};
  if (Array.isArray(value)) return value.map((item: unknown) => closed(item, root, depth + 1));
  if (!isSchema(value)) return value;
  const reference = value['$ref'];
  const dangling =
    typeof reference === 'string' && reference !== '#' && lookUp(root, reference) === undefined;
  const entries = Object.entries(value)
    .filter(([keyword]) => !(dangling && keyword === '$ref'))
    .map(([keyword, item]) => [keyword, closed(item, root, depth + 1)] as const);
  return Object.fromEntries(entries);
}

/** A branch of a root combinator, with a reference at its root followed once. */
function branchOf(value: unknown, root: Schema): Schema {
  const branch = partOf(value);
  const reference = branch['$ref'];
  return typeof reference === 'string' ? { ...partOf(lookUp(root, reference)), ...branch } : branch;
}

/** Fields of all branches in one object; a field is required when every alternative requires it. */
function folded(root: Schema): Schema {
  const properties: Record<string, unknown> = {};
  const required = new Set(namesOf(root['required']));
  for (const combinator of COMBINATORS) {
    const branches = Array.isArray(root[combinator])
      ? root[combinator].map((branch: unknown) => branchOf(branch, root))
      : [];
    for (const branch of branches) Object.assign(properties, partOf(branch['properties']));
    const [first = [], ...others] = branches.map((branch) => namesOf(branch['required']));
    const all = combinator === 'allOf' ? [first, ...others].flat() : first;
    for (const name of all) {
      if (combinator === 'allOf' || others.every((list) => list.includes(name))) required.add(name);
    }
  }
  const { oneOf: _oneOf, anyOf: _anyOf, allOf: _allOf, $ref: _ref, ...rest } = root;
  const merged = { ...rest, properties: { ...properties, ...partOf(root['properties']) } };
  return required.size === 0 ? merged : { ...merged, required: [...required] };
}

/**
 * Makes a tool's schema one that providers take: an object at the root without combinators there,
 * and no reference that leads out of it. Nothing is fetched. The server still checks arguments
 * against its own schema.
 */
export function adaptSchema(schema: unknown): AdaptedSchema {
  if (!isSchema(schema)) return { ok: false, reason: 'its schema is not an object' };
  let size: number;
  try {
    size = JSON.stringify(schema).length;
  } catch {
    return { ok: false, reason: 'its schema is not JSON' };
  }
  if (size > MAX_SCHEMA_CHARS)
    return { ok: false, reason: `its schema is longer than ${MAX_SCHEMA_CHARS} characters` };
  const root =
    typeof schema['$ref'] === 'string' ? { ...partOf(lookUp(schema, schema['$ref'])), ...schema } : schema;
  const type = root['type'] ?? 'object';
  if (type !== 'object') return { ok: false, reason: 'the root of its schema is no object' };
  const combined = COMBINATORS.some((word) => word in root) || '$ref' in root;
  const adapted = partOf(closed(combined ? folded(root) : root, root));
  const properties = partOf(adapted['properties']);
  const bad = Object.keys(properties).find((name) => !PROPERTY_NAME.test(name));
  if (bad !== undefined)
    return { ok: false, reason: `no provider takes its field name ${JSON.stringify(bad)}` };
  return { ok: true, schema: { ...adapted, type: 'object', properties } };
}
