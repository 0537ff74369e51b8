import { Validator } from '@cfworker/json-schema';
import type { OutputUnit, Schema } from '@cfworker/json-schema';
import { branchFor } from './form-state.ts';
import { isJsonObject } from './json-value.ts';
import type { JsonValue } from './json-value.ts';
import { lookUp, readSchema } from './read-schema.ts';
import { withoutUnsafePatterns } from './safe-pattern.ts';

/** Largest schema that is checked in the page, in UTF-16 units (64 KiB of ASCII); the host checks all. */
const MAX_CHECKED_SCHEMA = 65_536;
const MAX_PROBLEMS = 200;

export interface FieldProblem {
  /** JSON pointer of the field. */
  readonly pointer: string;
  /** Schema keyword that it breaks. */
  readonly keyword: string;
  /** What the keyword asks for, as text. */
  readonly limit: string;
}

/** Keywords that only report what a keyword inside them reports already. */
const CONTAINERS = new Set([
  'properties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'if',
  'then',
  'else',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Problems of a value by field; `undefined` when the schema cannot be checked in the page. */
export function checkForm(
  schema: Readonly<Record<string, unknown>>,
  value: JsonValue,
): readonly FieldProblem[] | undefined {
  const text = JSON.stringify(schema);
  if (text.length > MAX_CHECKED_SCHEMA) return undefined;
  const safe = withoutUnsafePatterns(JSON.parse(text) as JsonValue);
  if (!isJsonObject(safe)) return undefined;
  try {
    const outcome = new Validator(safe as Schema, draftOf(safe), false).validate(value);
    return outcome.valid ? [] : collect(outcome.errors, safe, value);
  } catch {
    return undefined;
  }
}

function draftOf(schema: Readonly<Record<string, JsonValue>>): '7' | '2019-09' | '2020-12' {
  const named = typeof schema['$schema'] === 'string' ? schema['$schema'] : '';
  if (named.includes('draft-07') || named.includes('draft-06') || named.includes('draft-04')) return '7';
  return named.includes('2019-09') ? '2019-09' : '2020-12';
}

function collect(
  errors: readonly OutputUnit[],
  schema: Readonly<Record<string, JsonValue>>,
  value: JsonValue,
): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  const add = (problem: FieldProblem): void => {
    const key = `${problem.pointer} ${problem.keyword} ${problem.limit}`;
    if (seen.has(key) || problems.length >= MAX_PROBLEMS) return;
    seen.add(key);
    problems.push(problem);
  };
  for (const error of withoutOtherBranches(errors, schema, value)) {
    const pointer = decode(error.instanceLocation);
    const limit = limitAt(schema, error.keywordLocation);
    // A type of some other vocabulary cannot be checked here, and must not stand in the way.
    if (error.keyword === 'type' && !isKnownType(limit)) continue;
    if (error.keyword === 'required') {
      for (const name of missingNames(limit, lookUp(value, error.instanceLocation))) {
        add({ pointer: `${pointer}/${escape(name)}`, keyword: 'required', limit: '' });
      }
    } else add({ pointer, keyword: error.keyword, limit: limitText(limit) });
  }
  return problems;
}

/** Leaves out what containers repeat, and of a union all but the branch that the value is meant for. */
function withoutOtherBranches(
  errors: readonly OutputUnit[],
  schema: Readonly<Record<string, JsonValue>>,
  value: JsonValue,
): readonly OutputUnit[] {
  const unions = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  const meant = unions.map((union) => {
    const inside = errors.filter(({ keywordLocation }) =>
      keywordLocation.startsWith(`${union.keywordLocation}/`),
    );
    return { union, inside, index: meantBranch(union, schema, value) };
  });
  const hidden = new Set<OutputUnit>();
  for (const { union, inside, index } of meant) {
    const prefix = `${union.keywordLocation}/${index}`;
    const own = inside.filter(
      ({ keywordLocation }) => keywordLocation === prefix || keywordLocation.startsWith(`${prefix}/`),
    );
    for (const error of inside) if (!own.includes(error)) hidden.add(error);
    // A plain choice of constants is one question, not a question about its first option.
    const isChoice = own.every(
      ({ keyword, instanceLocation }) => keyword === 'const' && instanceLocation === union.instanceLocation,
    );
    if (isChoice) for (const error of own) hidden.add(error);
    else if (own.some(({ keyword }) => !CONTAINERS.has(keyword))) hidden.add(union);
  }
  return errors.filter(
    (error) =>
      !hidden.has(error) &&
      !CONTAINERS.has(error.keyword) &&
      !(error.keyword === 'additionalProperties' && isJsonObject(limitAt(schema, error.keywordLocation))),
  );
}

function meantBranch(
  union: OutputUnit,
  schema: Readonly<Record<string, JsonValue>>,
  value: JsonValue,
): number {
  const branches = limitAt(schema, union.keywordLocation);
  if (!Array.isArray(branches)) return 0;
  // References inside the branches point at the whole schema, so its definitions come along.
  const { $defs, definitions } = schema;
  const at = lookUp(value, union.instanceLocation) as JsonValue | undefined;
  const candidates = branches
    .map((branch, index) => ({ branch, index }))
    .filter(({ branch }) => !(isJsonObject(branch) && branch['type'] === 'null'));
  const node = readSchema({
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
    oneOf: candidates.map(({ branch }) => branch),
  });
  const best = node.kind === 'union' ? branchFor(node, at, undefined) : 0;
  return candidates[best]?.index ?? 0;
}

/** Value of a keyword at its place in the schema, references on the way followed. */
function limitAt(schema: Readonly<Record<string, JsonValue>>, location: string): unknown {
  let value: unknown = schema;
  for (const part of decode(location).split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    if (part === '$ref' && typeof value === 'string') value = lookUp(schema, value);
  }
  return value;
}

const decode = (location: string): string => {
  const plain = location.startsWith('#') ? location.slice(1) : location;
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
};

const escape = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function missingNames(required: unknown, at: unknown): readonly string[] {
  if (!Array.isArray(required)) return [];
  const record = isJsonObject(at) ? at : {};
  return required.filter((name): name is string => typeof name === 'string' && !Object.hasOwn(record, name));
}

const KNOWN_TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

const isKnownType = (type: unknown): boolean =>
  (Array.isArray(type) ? type : [type]).every((name) => KNOWN_TYPES.includes(name));

function limitText(limit: unknown): string {
  if (limit === undefined) return '';
  if (Array.isArray(limit)) return limit.map((entry) => limitText(entry)).join(', ');
  return typeof limit === 'string' ? limit : JSON.stringify(limit);
}
