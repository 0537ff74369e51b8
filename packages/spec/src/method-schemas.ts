import { INVALID_PARAMS } from './json-rpc-errors.ts';
import { ProtocolError } from './protocol-error.ts';
import { SdkError } from './sdk-errors.ts';
import { isListToolsResult } from './result-guards.ts';
import { isResult } from './guards.ts';
import { isCreateMessageResult, isElicitResult, isListRootsResult } from './client-result-guards.ts';
import {
  isCallToolResult,
  isCompleteResult,
  isDiscoverResult,
  isGetPromptResult,
  isInitializeResult,
  isListPromptsResult,
  isListResourceTemplatesResult,
  isListResourcesResult,
  isReadResourceResult,
} from './result-guards.ts';
import type { Result } from './base.ts';
import type { ResultTypeMap } from './method-types.ts';
import {
  type InferOutput,
  type StandardSchemaV1,
  describeIssues,
  isStandardSchema,
} from './standard-schema.ts';

/** What a method of one's own takes and, for the types only, what it answers. */
export interface RequestHandlerSchemas<
  Params extends StandardSchemaV1 = StandardSchemaV1,
  Answer extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
> {
  readonly params: Params;
  readonly result?: Answer;
}

/** What a handler of a method of one's own returns. */
export type InferHandlerResult<Answer extends StandardSchemaV1 | undefined> = Answer extends StandardSchemaV1
  ? InferOutput<Answer>
  : Result;

interface Message {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

const RESULT_GUARDS: Readonly<Record<keyof ResultTypeMap, (value: unknown) => boolean>> = {
  initialize: isInitializeResult,
  ping: isResult,
  'server/discover': isDiscoverResult,
  'completion/complete': isCompleteResult,
  'logging/setLevel': isResult,
  'prompts/get': isGetPromptResult,
  'prompts/list': isListPromptsResult,
  'resources/list': isListResourcesResult,
  'resources/templates/list': isListResourceTemplatesResult,
  'resources/read': isReadResourceResult,
  'resources/subscribe': isResult,
  'resources/unsubscribe': isResult,
  'subscriptions/listen': isResult,
  'tools/call': isCallToolResult,
  'tools/list': isListToolsResult,
  'sampling/createMessage': isCreateMessageResult,
  'elicitation/create': isElicitResult,
  'roots/list': isListRootsResult,
};

function isKnownMethod(method: string): method is keyof ResultTypeMap {
  return Object.hasOwn(RESULT_GUARDS, method);
}

/** @throws TypeError for a method that the specification does not have, unless a schema is given */
export function requireResultSchema(method: string, schema: unknown): void {
  if (isStandardSchema(schema) || isKnownMethod(method)) return;
  throw new TypeError(`${method} is no method of the specification: give request() a schema for its result`);
}

/**
 * The result of a request, checked by the schema when there is one, else by what the specification
 * says of the method. Missing tool content is read as none.
 * @throws SdkError `INVALID_RESULT`
 */
export async function checkResult(
  method: string,
  result: unknown,
  schema: StandardSchemaV1 | undefined,
): Promise<unknown> {
  if (schema !== undefined) {
    const checked = await schema['~standard'].validate(result);
    if (checked.issues === undefined) return checked.value;
    throw invalidResult(method, describeIssues(checked.issues));
  }
  const value = method === 'tools/call' && isResult(result) ? withContent(result) : result;
  if (!isKnownMethod(method) || RESULT_GUARDS[method](value)) return value;
  throw invalidResult(method, 'it breaks the protocol');
}

function withContent(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return result['content'] === undefined ? { ...result, content: [] } : result;
}

function invalidResult(method: string, reason: string): SdkError {
  return new SdkError('INVALID_RESULT', `The answer to ${method} cannot be used: ${reason}`, { method });
}

/**
 * The two ways to give a handler, made one: as it is for methods of the specification, and with
 * schemas for others, whose handler gets the params that the schema made.
 * @throws TypeError when the handler is missing
 */
export function toMessageHandler<Context>(
  schemasOrHandler: { readonly params: StandardSchemaV1 } | ((message: never, context: Context) => unknown),
  handler: ((params: never, context: Context) => unknown) | undefined,
): (message: Message, context: Context) => unknown {
  if (typeof schemasOrHandler === 'function') {
    return schemasOrHandler as (message: Message, context: Context) => unknown;
  }
  if (typeof handler !== 'function') throw new TypeError('the handler is missing after the schemas');
  const serve = handler as (params: unknown, context: Context) => unknown;
  return async (message, context) => serve(await parseParams(message, schemasOrHandler.params), context);
}

/** @throws ProtocolError -32602 for params that the schema refuses */
async function parseParams({ method, params }: Message, schema: StandardSchemaV1): Promise<unknown> {
  const parsed = await schema['~standard'].validate({ ...params });
  if (parsed.issues === undefined) return parsed.value;
  throw new ProtocolError(INVALID_PARAMS, `Invalid params for ${method}: ${describeIssues(parsed.issues)}`);
}
