import { type Dialect, dialectOf } from './dialect.ts';
import { JsonSchemaError, shown } from './errors.ts';
import { type ContainerKind, isContainer, keywordOf, type PlainKind } from './keywords.ts';
import type { JsonSchemaLimits } from './limits.ts';
import { assertSafePattern } from './patterns/safe-pattern.ts';
import { References } from './references.ts';
import { assertSchemaSize, tooLarge } from './schema-size.ts';
import type { JsonSchemaType } from './validator.ts';

/** A schema of the canonical form: a plain object that engines may mark, or a verdict. */
export type CanonicalSchema = boolean | Record<string, unknown>;

/** A schema made ready for any engine. */
export interface CanonicalDocument {
  /**
   * 2020-12 without names: no `$id`, no anchors, and references only to `#/$defs/…` of the root.
   * Shares nothing with the given document.
   */
  readonly root: Record<string, unknown>;
  /** Longest key that all patterns for keys may be run on. */
  readonly maxKeyLength: number;
  readonly patternCount: number;
  readonly usesUniqueItems: boolean;
}

type SchemaObject = Readonly<Record<string, unknown>>;

const TYPES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

const NO_TEXT: readonly string[] = ['array', 'boolean', 'null', 'number', 'object'];

/**
 * Checks a foreign schema against the limits and rewrites it into one form, so that every engine
 * sees the same thing whatever the dialect, and no engine resolves references by itself.
 *
 * @throws JsonSchemaError with any code
 */
export function canonicalSchema(schema: JsonSchemaType, limits: JsonSchemaLimits): CanonicalDocument {
  assertSchemaSize(schema, limits);
  return new Rewriter(schema, limits).document();
}

class Rewriter {
  readonly #root: JsonSchemaType;
  readonly #limits: JsonSchemaLimits;
  readonly #dialect: Dialect;
  readonly #references: References;
  /** Names of referenced schemas, in the order they were met. */
  readonly #names = new Map<JsonSchemaType, string>();
  readonly #patternReach = new Map<string, number>();
  #maxKeyLength = Infinity;
  #patternCount = 0;
  #subschemas = 0;
  #usesUniqueItems = false;

  constructor(root: JsonSchemaType, limits: JsonSchemaLimits) {
    this.#root = root;
    this.#limits = limits;
    this.#dialect = dialectOf(root);
    this.#references = new References(root, this.#dialect);
  }

  document(): CanonicalDocument {
    const body = this.#rewrite(this.#root, 1);
    const defs: Record<string, CanonicalSchema> = {};
    // Rewriting a target may name further targets, which join the end of the same map.
    for (const [target, name] of this.#names) defs[name] = this.#rewrite(target, 1);
    const root: Record<string, unknown> = typeof body === 'boolean' ? { allOf: [body] } : body;
    if (this.#names.size > 0) root['$defs'] = defs;
    return {
      root,
      maxKeyLength: this.#maxKeyLength,
      patternCount: this.#patternCount,
      usesUniqueItems: this.#usesUniqueItems,
    };
  }

  #rewrite(schema: unknown, depth: number): CanonicalSchema {
    if (typeof schema === 'boolean') return schema;
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      throw invalid('a schema', 'is an object, true or false');
    }
    if (depth > this.#limits.maxSchemaDepth) throw tooLarge('depth', this.#limits.maxSchemaDepth);
    if (++this.#subschemas > this.#limits.maxSubschemas) {
      throw tooLarge('subschemas', this.#limits.maxSubschemas);
    }
    const given = schema as SchemaObject;
    const written: Record<string, unknown> = {};
    this.#rewriteReferences(given, written);
    if (this.#dialect === 'draft-07' && given['$ref'] !== undefined) return written;
    for (const key of Object.keys(given)) {
      const known = keywordOf(key, this.#dialect);
      if (known === undefined || given[key] === undefined) continue;
      const { kind } = known;
      const value = given[key];
      put(
        written,
        key,
        isContainer(kind)
          ? this.#rewriteContainer(kind, { key, value, depth })
          : this.#checked(kind, key, value),
      );
    }
    this.#boundPattern(written);
    return this.#dialect === '2020-12' ? written : modernized(written);
  }

  #rewriteReferences(given: SchemaObject, written: Record<string, unknown>): void {
    const { $ref, $recursiveRef, $dynamicRef } = given;
    const references: Record<string, unknown>[] = [];
    if ($ref !== undefined) references.push(this.#pointTo(this.#references.resolve($ref, given)));
    const dynamic =
      this.#dialect === '2020-12' ? $dynamicRef : this.#dialect === '2019-09' ? $recursiveRef : undefined;
    if (dynamic !== undefined) {
      references.push(this.#pointTo(this.#references.resolveDynamic(dynamic, given)));
    }
    const [first, second] = references;
    if (second !== undefined) written['allOf'] = references;
    else if (first !== undefined) written['$ref'] = first['$ref'];
  }

  #pointTo(target: JsonSchemaType): Record<string, unknown> {
    let name = this.#names.get(target);
    if (name === undefined) {
      name = `s${String(this.#names.size)}`;
      this.#names.set(target, name);
    }
    return { $ref: `#/$defs/${name}` };
  }

  #rewriteContainer(
    kind: ContainerKind,
    { key, value, depth }: { readonly key: string; readonly value: unknown; readonly depth: number },
  ): unknown {
    switch (kind) {
      case 'schema':
        return this.#rewrite(value, depth + 1);
      case 'schema-or-list':
        return Array.isArray(value)
          ? value.map((each) => this.#rewrite(each, depth + 1))
          : this.#rewrite(value, depth + 1);
      case 'schema-list':
        if (!Array.isArray(value) || value.length === 0) throw invalid(key, 'is a list of schemas');
        return value.map((each) => this.#rewrite(each, depth + 1));
      case 'schema-map':
      case 'dependencies':
      case 'name-map':
        return this.#rewriteMap(key, value, depth);
    }
  }

  #rewriteMap(key: string, value: unknown, depth: number): object {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalid(key, 'is an object');
    }
    const written: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      if (key === 'patternProperties') {
        this.#maxKeyLength = Math.min(this.#maxKeyLength, this.#reachOf(name));
      }
      const entry: unknown = Reflect.get(value, name);
      const listed = key === 'dependentRequired' || (key === 'dependencies' && Array.isArray(entry));
      put(written, name, listed ? namesOf(key, entry) : this.#rewrite(entry, depth + 1));
    }
    return written;
  }

  #checked(kind: PlainKind, key: string, value: unknown): unknown {
    switch (kind) {
      case 'type': {
        const types: readonly unknown[] = Array.isArray(value) ? value : [value];
        if (types.length === 0 || !types.every((type) => TYPES.has(type))) {
          throw invalid(key, 'names an unknown type');
        }
        return structuredCopy(value);
      }
      case 'names':
        return namesOf(key, value);
      case 'values':
        if (!Array.isArray(value)) throw invalid(key, 'is a list');
        return structuredCopy(value);
      case 'count':
        if (!Number.isInteger(value) || (value as number) < 0) throw invalid(key, 'is a count');
        return value;
      case 'number':
        if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid(key, 'is a number');
        return value;
      case 'divisor':
        if (typeof value !== 'number' || !(value > 0)) throw invalid(key, 'is a number above 0');
        return value;
      case 'flag':
        if (typeof value !== 'boolean') throw invalid(key, 'is true or false');
        if (value) this.#usesUniqueItems = true;
        return value;
      case 'pattern':
        if (typeof value !== 'string') throw invalid(key, 'is text');
        this.#reachOf(value);
        return value;
      case 'text':
        if (typeof value !== 'string') throw invalid(key, 'is text');
        return value;
      case 'value':
        return structuredCopy(value);
    }
  }

  /** Longer texts do not fit, whatever the pattern would say of them. */
  #boundPattern(written: Record<string, unknown>): void {
    const { pattern } = written;
    if (typeof pattern !== 'string') return;
    const reach = this.#reachOf(pattern);
    if (reach === Infinity) return;
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    const bounded = { if: { maxLength: reach }, then: { pattern }, else: { type: NO_TEXT } };
    written['pattern'] = undefined;
    written['allOf'] = [...(Array.isArray(written['allOf']) ? written['allOf'] : []), bounded];
  }

  #reachOf(pattern: string): number {
    this.#patternCount += 1;
    const known = this.#patternReach.get(pattern);
    if (known !== undefined) return known;
    const reach = assertSafePattern(pattern, this.#limits.maxPatternLength);
    this.#patternReach.set(pattern, reach);
    return reach;
  }
}

/** Keywords of earlier dialects in the words of 2020-12. */
function modernized(schema: Record<string, unknown>): Record<string, unknown> {
  const { items, additionalItems, dependencies, ...kept } = schema;
  if (Array.isArray(items)) {
    if (items.length > 0) kept['prefixItems'] = items;
    if (additionalItems !== undefined) kept['items'] = additionalItems;
  } else if (items !== undefined) kept['items'] = items;
  if (dependencies === undefined) return kept;
  const required: Record<string, unknown> = {};
  const schemas: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(dependencies as object)) {
    put(Array.isArray(entry) ? required : schemas, name, entry);
  }
  // Both forms may be there in 2019-09; then each keeps its own place.
  const extra = { dependentRequired: required, dependentSchemas: schemas };
  const list = Array.isArray(kept['allOf']) ? kept['allOf'] : [];
  return { ...kept, allOf: [...list, extra] };
}

function namesOf(key: string, value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
    throw invalid(key, 'is a list of names');
  }
  return [...(value as string[])];
}

/** Sets a member also when it is called `__proto__`. */
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Constants of a schema are JSON; a copy keeps engines from marking the author's objects. */
function structuredCopy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}

function invalid(keyword: string, why: string): JsonSchemaError {
  return new JsonSchemaError('INVALID_KEYWORD', {
    message: `the schema cannot be used: ${shown(keyword)} ${why}`,
    data: { keyword: shown(keyword) },
  });
}
