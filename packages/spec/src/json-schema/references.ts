import { type Dialect } from './dialect.ts';
import { JsonSchemaError, shown } from './errors.ts';
import { type ContainerKind, isContainer, keywordOf, type PlainKind } from './keywords.ts';
import type { JsonSchemaType } from './validator.ts';

type SchemaObject = Readonly<Record<string, unknown>>;

/** Base of documents without a name of their own. No document can be fetched from it. */
const NO_BASE = 'https://schema.invalid/';

const isObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What the references of one document point at. All of it lies within the document: what is named
 * by an `$id` in it, an anchor or a pointer. Nothing else exists, and nothing is fetched.
 */
export class References {
  readonly #dialect: Dialect;
  readonly #resources = new Map<string, unknown>();
  readonly #anchors = new Map<string, unknown>();
  readonly #bases = new Map<object, string>();
  #dynamicNames = 0;

  constructor(root: JsonSchemaType, dialect: Dialect) {
    this.#dialect = dialect;
    this.#resources.set(NO_BASE, root);
    this.#index(root, NO_BASE);
  }

  /** @throws JsonSchemaError `UNRESOLVED_REFERENCE` */
  resolve(reference: unknown, from: SchemaObject): JsonSchemaType {
    if (typeof reference !== 'string') throw unresolved(JSON.stringify(reference) ?? '', 'it is no text');
    const base = this.#bases.get(from) ?? NO_BASE;
    const hash = reference.indexOf('#');
    const place = hash === -1 ? reference : reference.slice(0, hash);
    const fragment = hash === -1 ? '' : decoded(reference.slice(hash + 1));
    const uri = place === '' ? base : absolute(place, base);
    const resource = this.#resources.get(uri);
    if (resource === undefined) throw unresolved(reference, 'other documents are not fetched');
    const target =
      fragment === '' || fragment.startsWith('/')
        ? this.#follow(resource, fragment, uri)
        : this.#anchors.get(`${uri}#${fragment}`);
    if (typeof target === 'boolean' || isObject(target)) return target;
    throw unresolved(reference, 'there is no such place');
  }

  /**
   * A dynamic reference means the same as a plain one as long as only one place can answer it.
   * @throws JsonSchemaError `UNRESOLVED_REFERENCE`
   */
  resolveDynamic(reference: unknown, from: SchemaObject): JsonSchemaType {
    if (this.#dynamicNames > 1 && this.#resources.size > 2) {
      throw unresolved(String(reference), 'dynamic references across named schemas are not supported');
    }
    return this.resolve(reference, from);
  }

  #index(schema: unknown, outer: string): void {
    if (!isObject(schema) || this.#bases.has(schema)) return;
    const base = this.#register(schema, outer);
    this.#bases.set(schema, base);
    for (const key of Object.keys(schema)) {
      const holdsSchemas = key === '$defs' || key === 'definitions';
      const kind = holdsSchemas ? 'schema-map' : keywordOf(key, this.#dialect)?.kind;
      for (const inner of schemasIn(kind, schema[key])) this.#index(inner, base);
    }
  }

  /** Notes the names a schema gives itself and answers the base of the references in it. */
  #register(schema: SchemaObject, outer: string): string {
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = schema;
    let base = outer;
    if (typeof id === 'string' && id.startsWith('#')) this.#anchors.set(`${outer}${id}`, schema);
    else if (typeof id === 'string' && !this.#ignoresSiblings(schema)) {
      base = absolute(id.replace(/#$/, ''), outer);
      this.#resources.set(base, schema);
    }
    if (typeof anchor === 'string') this.#anchors.set(`${base}#${anchor}`, schema);
    if (typeof dynamic === 'string') {
      this.#anchors.set(`${base}#${dynamic}`, schema);
      this.#dynamicNames += 1;
    }
    if (schema['$recursiveAnchor'] === true) this.#dynamicNames += 1;
    return base;
  }

  #ignoresSiblings(schema: SchemaObject): boolean {
    return this.#dialect === 'draft-07' && typeof schema['$ref'] === 'string';
  }

  #follow(resource: unknown, pointer: string, uri: string): unknown {
    let place = resource;
    let base = uri;
    for (const token of pointer.split('/').slice(1)) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined;
      place = Reflect.get(place, key);
      if (isObject(place)) base = this.#bases.get(place) ?? base;
    }
    // Below keywords that decide nothing, schemas are found only by following a pointer to them.
    if (isObject(place) && !this.#bases.has(place)) this.#index(place, base);
    return place;
  }
}

/** The schemas directly below a keyword; what is no schema is passed over when it is looked at. */
function schemasIn(kind: ContainerKind | PlainKind | undefined, value: unknown): readonly unknown[] {
  if (kind === undefined || !isContainer(kind) || kind === 'name-map') return [];
  if (kind === 'schema' || (kind === 'schema-or-list' && !Array.isArray(value))) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function absolute(reference: string, base: string): string {
  try {
    const url = new URL(reference, base);
    url.hash = '';
    return url.href;
  } catch (cause) {
    throw unresolved(reference, 'it is no address', cause);
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function unresolved(reference: string, why: string, cause?: unknown): JsonSchemaError {
  return new JsonSchemaError('UNRESOLVED_REFERENCE', {
    message: `the reference "${shown(reference)}" cannot be followed: ${why}`,
    data: { reference: shown(reference) },
    cause,
  });
}
