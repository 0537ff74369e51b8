import { isInputRequiredResult } from '@portico/spec';
import type { InferOutput, InputRequiredResult, StandardSchemaResult, StandardSchemaV1 } from '@portico/spec';

/**
 * A schema that also takes interim answers, as they are: for requests that are sent with
 * `allowInputRequired` and drive their rounds themselves.
 */
export function withInputRequired<Schema extends StandardSchemaV1>(
  schema: Schema,
): StandardSchemaV1<unknown, InferOutput<Schema> | InputRequiredResult> {
  type Output = InferOutput<Schema> | InputRequiredResult;
  const { validate } = schema['~standard'];
  return {
    '~standard': {
      version: 1,
      vendor: 'portico',
      validate: (value) =>
        isInputRequiredResult(value)
          ? { value }
          : (validate(value) as StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>),
    },
  };
}
