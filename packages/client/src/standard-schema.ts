/** One complaint of a Standard Schema validator. */
interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a Standard Schema validator answers: a value, or issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** The Standard Schema interface, as zod, valibot, arktype and others implement it. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  };
}

/** What a schema makes of a valid value. */
export type InferOutput<Schema extends StandardSchemaV1> = NonNullable<
  Schema['~standard']['types']
>['output'];

/** True for values that carry the Standard Schema interface. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = Reflect.get(value, '~standard');
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof Reflect.get(standard, 'validate') === 'function'
  );
}

const MAX_ISSUES = 5;

/** The complaints in one line, for an error's message. */
export function describeIssues(issues: readonly StandardIssue[]): string {
  return issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => {
      const place = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
      return place === '' ? message : `${place}: ${message}`;
    })
    .join('; ');
}
