import { isRecord } from './guards.ts';

/** One complaint of a Standard Schema validator. */
export interface StandardSchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a Standard Schema validator answers: a value, or issues. */
export type StandardSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaIssue[] };

/** The interface that schema libraries share (standardschema.dev), as far as values are checked. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (
      value: unknown,
    ) => StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>;
  };
}

/** A Standard Schema that also tells the JSON Schema of what it takes and of what it makes. */
export interface StandardSchemaWithJSON<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaV1<Input, Output>['~standard'] & {
    readonly jsonSchema: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
      readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

/** A Standard Schema that answers at once. */
export interface StandardSchemaV1Sync<Input = unknown, Output = Input> extends StandardSchemaV1<
  Input,
  Output
> {
  readonly '~standard': StandardSchemaV1<Input, Output>['~standard'] & {
    readonly validate: (value: unknown) => StandardSchemaResult<Output>;
  };
}

/** What a schema makes of a value that it accepts. */
export type InferOutput<Schema extends StandardSchemaV1> = NonNullable<
  Schema['~standard']['types']
>['output'];

/** True for values that carry the Standard Schema interface; some libraries' schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  if (!('~standard' in value)) return false;
  const standard = value['~standard'];
  return isRecord(standard) && typeof standard['validate'] === 'function';
}

/** The issues as one sentence, each with its place; at most three of them. */
export function describeIssues(issues: readonly StandardSchemaIssue[]): string {
  const shown = issues.slice(0, 3).map(({ message, path = [] }) => {
    const place = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
    return place === '' ? message : `${place}: ${message}`;
  });
  return shown.join('; ');
}
