/** As much of a JSON Schema as the published schemas of the specification use. */
export interface SampledSchema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SampledSchema[];
  readonly allOf?: readonly SampledSchema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, SampledSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SampledSchema;
  readonly items?: SampledSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A whole published schema file. */
export interface SchemaFile {
  readonly $schema: string;
  readonly definitions?: Readonly<Record<string, SampledSchema>>;
  readonly $defs?: Readonly<Record<string, SampledSchema>>;
}

export function definitionsOf(file: SchemaFile): Readonly<Record<string, SampledSchema>> {
  return file.$defs ?? file.definitions ?? {};
}

/** How deep optional members go, and how many alternatives of one place are told apart. */
const MAX_DEPTH = 3;
const MAX_SAMPLES = 6;

/** Texts that also hold what only the prose asks of a member. */
const TEXTS: Readonly<Record<string, string>> = {
  byte: 'AAEC',
  uri: 'file:///notes/a.txt',
  'uri-template': 'file:///notes/{name}',
};
const TEXT_OF_KEY: Readonly<Record<string, string>> = { lastModified: '2026-01-02T03:04:05Z' };

/** Where in a value a sample goes. */
interface Place {
  readonly depth: number;
  readonly key: string;
}

/**
 * Valid values of a schema, without any chance: with required members alone, with all of them, and
 * with each alternative of each member.
 */
export function samplesOf(file: SchemaFile, schema: SampledSchema): unknown[] {
  return new Sampler(definitionsOf(file)).samples(schema, { depth: 0, key: '' });
}

class Sampler {
  readonly #definitions: Readonly<Record<string, SampledSchema>>;

  constructor(definitions: Readonly<Record<string, SampledSchema>>) {
    this.#definitions = definitions;
  }

  samples(schema: SampledSchema, place: Place): unknown[] {
    const { $ref, anyOf, allOf } = schema;
    if ($ref !== undefined) {
      const target = this.#definitions[$ref.split('/').at(-1) ?? ''];
      return target === undefined ? [] : this.samples(target, place);
    }
    if (schema.const !== undefined) return [schema.const];
    if (schema.enum !== undefined) return place.depth < 2 ? [...schema.enum] : schema.enum.slice(0, 1);
    if (anyOf !== undefined) {
      return anyOf.flatMap((branch) => this.samples(branch, place)).slice(0, MAX_SAMPLES * 4);
    }
    if (allOf !== undefined) {
      return [Object.assign({}, ...allOf.map((branch) => this.samples(branch, place).at(-1)))];
    }
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['object']);
    return types.flatMap((type) => this.#ofType(type, schema, place));
  }

  #ofType(type: string, schema: SampledSchema, { depth, key }: Place): unknown[] {
    switch (type) {
      case 'string':
        return [TEXTS[schema.format ?? ''] ?? TEXT_OF_KEY[key] ?? 'text'];
      case 'integer':
        return [schema.minimum ?? 7];
      case 'number':
        return [schema.maximum ?? 7];
      case 'boolean':
        return [true];
      case 'null':
        return [null];
      case 'array': {
        const item = depth < MAX_DEPTH ? schema.items : undefined;
        const items = item === undefined ? [] : this.samples(item, { depth: depth + 1, key });
        return items.length === 0 ? [[]] : [[], items];
      }
      default:
        return this.#objects(schema, depth);
    }
  }

  #objects(schema: SampledSchema, depth: number): unknown[] {
    const required = new Set(schema.required);
    const choices = Object.entries(schema.properties ?? {})
      .filter(([name]) => required.has(name) || depth < MAX_DEPTH)
      .map(([key, member]) => [key, this.samples(member, { depth: depth + 1, key })] as const)
      .filter(([, values]) => values.length > 0);
    const lowest = choices
      .filter(([name]) => required.has(name))
      .map(([name, values]) => [name, values[0]] as const);
    const full = Object.fromEntries(choices.map(([name, values]) => [name, values.at(-1)]));
    const samples: unknown[] = [Object.fromEntries(lowest), { ...full, ...this.#freeMember(schema, depth) }];
    for (const [name, values] of choices) {
      for (const value of values.slice(0, MAX_SAMPLES)) samples.push({ ...full, [name]: value });
    }
    return depth === 0 ? samples : samples.slice(0, 2 + MAX_SAMPLES);
  }

  /** A member that no one names, where the schema says of which kind those are. */
  #freeMember({ additionalProperties }: SampledSchema, depth: number): object {
    if (typeof additionalProperties !== 'object' || depth >= MAX_DEPTH) return {};
    const [free] = this.samples(additionalProperties, { depth: depth + 1, key: '' });
    return free === undefined ? {} : { free };
  }
}

/** One change of a value: where it was made, and what came of it. */
export interface Mutation {
  readonly path: string;
  readonly kind: 'missing' | 'wrong type';
  readonly value: unknown;
}

/** The value with one member left out or of another type, for every member down to a depth. */
export function* mutationsOf(value: unknown, depth: number, path = ''): Generator<Mutation> {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const [key, member] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[]` : `${path}.${key}`;
    const put = (changed: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
    if (!Array.isArray(value)) {
      const rest = Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
      yield { path: place, kind: 'missing', value: rest };
    }
    for (const other of [7, 'text', true, null, [7], {}]) {
      if (kindOf(other) === kindOf(member)) continue;
      yield { path: place, kind: 'wrong type', value: put(other) };
    }
    for (const inner of mutationsOf(member, depth - 1, place)) yield { ...inner, value: put(inner.value) };
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
