import type { Dialect } from './dialect.ts';

/** Values of keywords that have schemas, or lists of names, in them. */
export type ContainerKind =
  | 'schema'
  | 'schema-list'
  | 'schema-map'
  | 'schema-or-list'
  | 'dependencies'
  | 'name-map';

/** Values of the other keywords. */
export type PlainKind =
  | 'names'
  | 'values'
  | 'value'
  | 'type'
  | 'count'
  | 'number'
  | 'divisor'
  | 'flag'
  | 'pattern'
  | 'text';

/** How a keyword looks at a value: the same one, parts of it, or not at all. */
export type Reach = 'same' | 'parts' | 'none';

interface Keyword {
  readonly kind: ContainerKind | PlainKind;
  readonly reach: Reach;
  /** Dialects that have it; absent for all. */
  readonly only?: readonly Dialect[];
}

const NEWER: readonly Dialect[] = ['2020-12', '2019-09'];
const OLDER: readonly Dialect[] = ['2019-09', 'draft-07'];

const keyword = (
  kind: ContainerKind | PlainKind,
  reach: Reach = 'none',
  only?: readonly Dialect[],
): Keyword => (only === undefined ? { kind, reach } : { kind, reach, only });

/** Every keyword that decides about values. Others are carried along without effect. */
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ['allOf', keyword('schema-list', 'same')],
  ['anyOf', keyword('schema-list', 'same')],
  ['oneOf', keyword('schema-list', 'same')],
  ['not', keyword('schema', 'same')],
  ['if', keyword('schema', 'same')],
  ['then', keyword('schema', 'same')],
  ['else', keyword('schema', 'same')],
  ['dependentSchemas', keyword('schema-map', 'same', NEWER)],
  ['dependencies', keyword('dependencies', 'same', OLDER)],
  ['dependentRequired', keyword('name-map', 'none', NEWER)],
  ['properties', keyword('schema-map', 'parts')],
  ['patternProperties', keyword('schema-map', 'parts')],
  ['additionalProperties', keyword('schema', 'parts')],
  ['unevaluatedProperties', keyword('schema', 'parts', NEWER)],
  ['propertyNames', keyword('schema', 'parts')],
  ['prefixItems', keyword('schema-list', 'parts', ['2020-12'])],
  ['items', keyword('schema', 'parts', ['2020-12'])],
  ['additionalItems', keyword('schema', 'parts', OLDER)],
  ['unevaluatedItems', keyword('schema', 'parts', NEWER)],
  ['contains', keyword('schema', 'parts')],
  ['minContains', keyword('count', 'none', NEWER)],
  ['maxContains', keyword('count', 'none', NEWER)],
  ['type', keyword('type')],
  ['enum', keyword('values')],
  ['const', keyword('value')],
  ['required', keyword('names')],
  ['minProperties', keyword('count')],
  ['maxProperties', keyword('count')],
  ['minItems', keyword('count')],
  ['maxItems', keyword('count')],
  ['uniqueItems', keyword('flag')],
  ['minLength', keyword('count')],
  ['maxLength', keyword('count')],
  ['pattern', keyword('pattern')],
  ['format', keyword('text')],
  ['minimum', keyword('number')],
  ['maximum', keyword('number')],
  ['exclusiveMinimum', keyword('number')],
  ['exclusiveMaximum', keyword('number')],
  ['multipleOf', keyword('divisor')],
]);

/** Before 2020-12 `items` also took a list, one schema a place. */
const OLDER_ITEMS: Keyword = keyword('schema-or-list', 'parts');

/** What a keyword is in a dialect, or undefined when it decides nothing there. */
export function keywordOf(name: string, dialect: Dialect): Keyword | undefined {
  if (name === 'items' && dialect !== '2020-12') return OLDER_ITEMS;
  const known = KEYWORDS.get(name);
  return known === undefined || (known.only !== undefined && !known.only.includes(dialect))
    ? undefined
    : known;
}

const CONTAINERS: ReadonlySet<string> = new Set<ContainerKind>([
  'schema',
  'schema-list',
  'schema-map',
  'schema-or-list',
  'dependencies',
  'name-map',
]);

/** True for keywords with schemas, or lists of names, in them. */
export function isContainer(kind: ContainerKind | PlainKind): kind is ContainerKind {
  return CONTAINERS.has(kind);
}
