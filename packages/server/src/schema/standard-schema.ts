/** A plain JSON Schema document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One complaint of a Standard Schema validator. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a Standard Schema validator answers: a value, or issues. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Where a Standard JSON Schema library converts its schema to a JSON Schema document. */
interface StandardConverter {
  readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
  readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
}

/**
 * The part of the Standard Schema interface this package uses: validation, and conversion where the
 * library offers it (zod 4.2 and later, arktype, valibot through its wrapper).
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: StandardConverter | undefined;
  };
}

/**
 * What a tool or prompt may be given as schema: a Standard Schema (zod 4.2 and later, arktype, valibot
 * through its JSON Schema wrapper, `fromJsonSchema`) or a plain JSON Schema. A record of field
 * schemas is taken too, as early versions of the SDK had it; give an object schema instead.
 */
export type SchemaDefinition = StandardSchema | JsonSchema;

type OutputOf<Schema> = Schema extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : never;

/** Names of a record of field schemas whose value may be left out. */
type OptionalNames<Shape> = {
  [Name in keyof Shape]: undefined extends OutputOf<Shape[Name]> ? Name : never;
}[keyof Shape];

type ShapeOutput<Shape> = { [Name in Exclude<keyof Shape, OptionalNames<Shape>>]: OutputOf<Shape[Name]> } & {
  [Name in OptionalNames<Shape>]?: OutputOf<Shape[Name]>;
};

/** The arguments a handler receives for a schema: the library's output type, else plain members. */
export type InferArguments<Schema> = Schema extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : Schema extends Readonly<Record<string, StandardSchema>>
    ? ShapeOutput<Schema>
    : Record<string, unknown>;

/** True for values that carry the Standard Schema interface. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = Reflect.get(value, '~standard');
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof Reflect.get(standard, 'validate') === 'function'
  );
}
