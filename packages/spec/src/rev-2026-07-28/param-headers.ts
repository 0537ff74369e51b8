import type { HeaderReader } from '../codec.ts';
import { isRecord } from '../guards.ts';
import { PARAM_HEADER_PREFIX } from '../header-names.ts';
import { type WireError, headerMismatchError } from '../protocol-errors.ts';
import { decodeHeaderValue, encodeHeaderValue } from './header-values.ts';

/** Annotation of an input schema's property that asks for a header. */
const ANNOTATION = 'x-mcp-header';

/** Schema levels that are searched for annotations. */
const MAX_SCHEMA_DEPTH = 100;

/** Schema keywords that hold data, where the annotation would be a plain member. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/** One argument that a header repeats. */
export interface ParamHeader {
  /** Full header name. */
  readonly header: string;
  /** Property names from the arguments down to the value. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean' | 'number';
}

/** The parameter headers of a tool, or why its annotations make the tool unusable over HTTP. */
export type ParamHeaders =
  | { readonly ok: true; readonly headers: readonly ParamHeader[] }
  | { readonly ok: false; readonly reason: string };

/** A header name's characters, RFC 9110 section 5.1. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** How annotations are read. */
export interface ParamHeaderRules {
  /**
   * Takes annotations on parameters of type `number` too, which the specification forbids because two
   * sides may write one number in two ways. Default false.
   */
  readonly allowNumbers?: boolean;
}

function isHeaderType(type: unknown, { allowNumbers }: ParamHeaderRules): type is ParamHeader['type'] {
  if (type === 'number') return allowNumbers === true;
  return type === 'string' || type === 'integer' || type === 'boolean';
}

/** Stops the search at the first fault. */
class Search {
  readonly #rules: ParamHeaderRules;
  readonly headers: ParamHeader[] = [];
  readonly #names = new Set<string>();
  reason: string | undefined;

  constructor(rules: ParamHeaderRules) {
    this.#rules = rules;
  }

  /** Walks the schema. Only chains of `properties` may lead to an annotation. */
  visit(schema: unknown, path: readonly string[], reachable: boolean): void {
    if (this.reason !== undefined || typeof schema !== 'object' || schema === null) return;
    if (path.length > MAX_SCHEMA_DEPTH) {
      this.reason = 'the schema is nested too deep';
      return;
    }
    if (isRecord(schema) && ANNOTATION in schema) this.#take(schema, path, reachable);
    for (const [key, value] of Object.entries(schema)) {
      if (DATA_KEYWORDS.has(key)) continue;
      if (key === 'properties' && isRecord(value)) this.#visitProperties(value, path, reachable);
      else this.visit(value, [...path, key], false);
    }
  }

  #visitProperties(
    properties: { readonly [key: string]: unknown },
    path: readonly string[],
    reachable: boolean,
  ): void {
    for (const [name, schema] of Object.entries(properties)) {
      this.visit(schema, [...path, name], reachable);
    }
  }

  #take(schema: { readonly [key: string]: unknown }, path: readonly string[], reachable: boolean): void {
    const name = schema[ANNOTATION];
    const type = schema['type'];
    if (typeof name !== 'string' || !TOKEN.test(name)) {
      this.reason = `${ANNOTATION} is no header name`;
    } else if (!reachable || path.length === 0) {
      this.reason = `${ANNOTATION} "${name}" is not reached by properties alone`;
    } else if (!isHeaderType(type, this.#rules)) {
      this.reason = `${ANNOTATION} "${name}" is on a parameter that is no string, integer or boolean`;
    } else if (this.#names.has(name.toLowerCase())) {
      this.reason = `${ANNOTATION} "${name}" is used twice`;
    } else {
      this.#names.add(name.toLowerCase());
      this.headers.push({ header: PARAM_HEADER_PREFIX + name, path, type });
    }
  }
}

/**
 * Finds the arguments of a tool that headers repeat. A client over HTTP must leave out a tool
 * whose annotations break the rules of the specification's section Custom Headers.
 */
export function findParamHeaders(inputSchema: unknown, rules: ParamHeaderRules = {}): ParamHeaders {
  const search = new Search(rules);
  search.visit(inputSchema, [], true);
  return search.reason === undefined
    ? { ok: true, headers: search.headers }
    : { ok: false, reason: search.reason };
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** The argument as header text; undefined when there is none to send. */
function textOf(value: unknown, type: ParamHeader['type']): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  return type === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** The headers for one call's arguments; missing and null arguments send none. */
export function encodeParamHeaders(headers: readonly ParamHeader[], args: unknown): Record<string, string> {
  const encoded: Record<string, string> = {};
  for (const { header, path, type } of headers) {
    const text = textOf(valueAt(args, path), type);
    if (text !== undefined) encoded[header] = encodeHeaderValue(text);
  }
  return encoded;
}

/** A number as people write it; other notations that JavaScript reads are no header value. */
const DECIMAL = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;

function fits(sent: string, value: unknown, text: string | undefined): boolean {
  if (typeof value === 'number' && text !== undefined) return DECIMAL.test(sent) && Number(sent) === value;
  return sent === text;
}

/**
 * Compares the parameter headers with the arguments. Undefined when they fit. A header whose argument is
 * missing or null has nothing to be compared with; only its form is looked at.
 */
export function checkParamHeaders(
  headers: readonly ParamHeader[],
  args: unknown,
  read: HeaderReader,
): WireError | undefined {
  for (const { header, path, type } of headers) {
    const value = valueAt(args, path);
    const sent = read(header);
    const text = textOf(value, type);
    if (sent === null || sent === undefined) {
      if (text !== undefined) return headerMismatchError(`the ${header} header is missing`);
      continue;
    }
    const decoded = decodeHeaderValue(sent);
    if (decoded === undefined) return headerMismatchError(`the ${header} header is malformed`);
    if (value !== undefined && value !== null && !fits(decoded, value, text)) {
      return headerMismatchError(`the ${header} header does not match the body`);
    }
  }
  return undefined;
}
