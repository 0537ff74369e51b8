import { ErrorCode, ProtocolError } from '@portico/rpc';
import { describeIssues } from '@portico/spec';
import type { InferOutput, Result, StandardSchemaV1 } from '@portico/spec';
import { SdkError } from './errors.ts';
import type { IncomingRequest } from './handlers.ts';

/** The params as the schema makes them. @throws ProtocolError -32602 */
export async function parseParams(
  schema: StandardSchemaV1,
  { method, params }: IncomingRequest,
): Promise<unknown> {
  const outcome = await schema['~standard'].validate(params ?? {});
  if (outcome.issues === undefined) return outcome.value;
  throw new ProtocolError(
    ErrorCode.InvalidParams,
    `invalid params of ${method}: ${describeIssues(outcome.issues)}`,
  );
}

/** The result as the schema makes it. @throws SdkError `INVALID_RESULT` */
export async function parseResult<Schema extends StandardSchemaV1>(
  method: string,
  result: Result,
  schema: Schema,
): Promise<InferOutput<Schema>> {
  const outcome = await schema['~standard'].validate(result);
  if (outcome.issues === undefined) return outcome.value as InferOutput<Schema>;
  throw new SdkError('INVALID_RESULT', {
    message: `the answer to ${method} does not fit its schema: ${describeIssues(outcome.issues)}`,
    data: { issues: outcome.issues },
  });
}
