import type { Branch, ChoiceOption, FormField, FormNode, SchemaObject } from './form-node.ts';
import { isJsonObject } from './json-value.ts';
import type { JsonValue } from './json-value.ts';

/** Deepest schema that gets controls; below it the JSON editor serves. */
const MAX_SCHEMA_DEPTH = 32;
/** Most references followed for one node. */
const MAX_REFERENCES = 16;
const MAX_OPTIONS = 500;

/** Reads a JSON Schema as a tree of controls. Never throws: what is not understood becomes `json`. */
export function readSchema(schema: unknown): FormNode {
  return read(schema, { root: isJsonObject(schema) ? schema : {}, depth: 0 });
}

interface Reading {
  readonly root: SchemaObject;
  readonly depth: number;
}

function read(input: unknown, reading: Reading): FormNode {
  const schema = resolve(input, reading.root);
  if (schema === undefined) return { kind: 'json', schema: {}, nullable: true };
  const { types, nullable } = readTypes(schema);
  const base = {
    schema,
    nullable,
    ...(typeof schema['title'] === 'string' ? { title: schema['title'] } : {}),
    ...(typeof schema['description'] === 'string' ? { description: schema['description'] } : {}),
    ...('default' in schema ? { default: schema['default'] as JsonValue } : {}),
  };
  if (reading.depth >= MAX_SCHEMA_DEPTH) return { ...base, kind: 'json' };
  if ('const' in schema) return { ...base, kind: 'constant', value: schema['const'] as JsonValue };
  const options = readOptions(schema);
  if (options !== undefined) return { ...base, kind: 'choice', options };
  const union = readUnion(schema, reading);
  if (union !== undefined) return { ...base, ...union };
  if (types.length > 1) {
    const branches = types.map((type) => typeBranch(schema, type, reading));
    return { ...base, kind: 'union', branches };
  }
  return { ...base, ...readSingleType(schema, types[0], reading) };
}

type Shape = FormNode extends infer N ? (N extends FormNode ? Omit<N, keyof Base> : never) : never;
type Base = Pick<FormNode, 'schema' | 'title' | 'description' | 'nullable' | 'default'>;

function readSingleType(schema: SchemaObject, type: string | undefined, reading: Reading): Shape {
  switch (type ?? guessType(schema) ?? '') {
    case 'string':
      return { kind: 'text', ...(typeof schema['format'] === 'string' ? { format: schema['format'] } : {}) };
    case 'number':
      return { kind: 'number', integer: false };
    case 'integer':
      return { kind: 'number', integer: true };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return readList(schema, reading);
    case 'object':
      return readRecord(schema, reading);
    default:
      return { kind: 'json' };
  }
}

function guessType(schema: SchemaObject): string | undefined {
  if ('properties' in schema) return 'object';
  if ('items' in schema) return 'array';
  return undefined;
}

function readList(schema: SchemaObject, reading: Reading): Shape {
  const { items } = schema;
  // Tuples are rare in tools; the JSON editor shows their order better than a list would.
  if ('prefixItems' in schema || Array.isArray(items) || items === false) return { kind: 'json' };
  return { kind: 'list', item: () => read(items ?? {}, deeper(reading)) };
}

function readRecord(schema: SchemaObject, reading: Reading): Shape {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(properties).map(([name, property]): FormField => ({
    name,
    required: required.includes(name),
    node: () => read(property, deeper(reading)),
  }));
  // An object of free names has no fields to show.
  return fields.length === 0 && reading.depth > 0 ? { kind: 'json' } : { kind: 'record', fields };
}

const deeper = (reading: Reading): Reading => ({ ...reading, depth: reading.depth + 1 });

function readTypes(schema: SchemaObject): { readonly types: readonly string[]; readonly nullable: boolean } {
  const listed = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  const types = listed.filter((type): type is string => typeof type === 'string');
  const named = types.filter((type) => type !== 'null');
  return { types: named, nullable: types.includes('null') || schema['nullable'] === true };
}

function readOptions(schema: SchemaObject): readonly ChoiceOption[] | undefined {
  const { enum: values, enumNames: names } = schema;
  if (Array.isArray(values) && values.length > 0 && values.length <= MAX_OPTIONS) {
    return values.map((value: JsonValue, index) => ({
      value,
      label: Array.isArray(names) && typeof names[index] === 'string' ? names[index] : labelOf(value),
    }));
  }
  const list = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_OPTIONS) return undefined;
  if (!list.every((entry) => isJsonObject(entry) && 'const' in entry)) return undefined;
  return list.map((entry: Record<string, JsonValue>) => ({
    value: entry['const'] ?? null,
    label: typeof entry['title'] === 'string' ? entry['title'] : labelOf(entry['const'] ?? null),
  }));
}

const labelOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

type UnionShape = Shape & { readonly nullable?: boolean };

function readUnion(schema: SchemaObject, reading: Reading): UnionShape | undefined {
  const list = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const isNull = (entry: unknown): boolean => isJsonObject(entry) && entry['type'] === 'null';
  const branches = list.filter((entry) => !isNull(entry));
  const { oneOf: _oneOf, anyOf: _anyOf, ...outer } = schema;
  const withOuter = (entry: unknown): unknown => mergeSchemas(outer, resolve(entry, reading.root) ?? {});
  if (branches.length === 1 && branches.length < list.length) {
    return { ...read(withOuter(branches[0]), deeper(reading)), nullable: true };
  }
  return {
    kind: 'union',
    ...(branches.length < list.length ? { nullable: true } : {}),
    branches: branches.map((entry, index): Branch => ({
      label: branchLabel(resolve(entry, reading.root) ?? {}, index),
      node: () => read(withOuter(entry), deeper(reading)),
    })),
  };
}

function branchLabel(schema: SchemaObject, index: number): string {
  if (typeof schema['title'] === 'string') return schema['title'];
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  for (const property of Object.values(properties)) {
    if (isJsonObject(property) && typeof property['const'] === 'string') return property['const'];
  }
  return typeof schema['type'] === 'string' ? schema['type'] : String(index + 1);
}

function typeBranch(schema: SchemaObject, type: string, reading: Reading): Branch {
  const { default: _default, title: _title, description: _description, ...rest } = schema;
  return { label: type, node: () => read({ ...rest, type }, deeper(reading)) };
}

/** Follows local references and folds `allOf` in; undefined for anything that is no schema object. */
function resolve(input: unknown, root: SchemaObject): SchemaObject | undefined {
  let schema: unknown = input === true ? {} : input;
  for (let count = 0; count < MAX_REFERENCES; count++) {
    if (!isJsonObject(schema)) return undefined;
    const reference = schema['$ref'];
    if (typeof reference !== 'string') return foldAllOf(schema, root);
    const { $ref: _reference, ...beside } = schema;
    const target = lookUp(root, reference);
    if (!isJsonObject(target)) return undefined;
    schema = { ...target, ...beside };
  }
  return undefined;
}

function foldAllOf(schema: SchemaObject, root: SchemaObject): SchemaObject {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf) || allOf.length > 32) return schema;
  const parts = allOf.map(
    (part) => (isJsonObject(part) && 'allOf' in part ? part : resolve(part, root)) ?? {},
  );
  return parts.reduce<SchemaObject>((merged, part) => mergeSchemas(part, merged), rest);
}

/** Both schemas at once, as far as controls are concerned; the second one's words win. */
function mergeSchemas(first: SchemaObject, second: SchemaObject): SchemaObject {
  const properties = [first, second].map(({ properties: own }) => (isJsonObject(own) ? own : undefined));
  const required = [first, second].flatMap(({ required: own }) => (Array.isArray(own) ? own : []));
  return {
    ...first,
    ...second,
    ...(properties.some((own) => own !== undefined)
      ? { properties: { ...properties[0], ...properties[1] } }
      : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  };
}

/** Target of a `#/…` reference; other documents are never loaded. */
export function lookUp(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let value: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const step = unescapeStep(part);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function unescapeStep(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
