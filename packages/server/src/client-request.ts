import { ErrorCode, ProtocolError } from '@portico/rpc';
import {
  type Codec,
  type CreateMessageRequestParams,
  elicitContentFault,
  type ElicitRequestFormParams,
  isCreateMessageResult,
  isElicitResult,
  isListRootsResult,
  isRecord,
  isSpecMethod,
  samplingMessagesFault,
  toLocalError,
} from '@portico/spec';
import type { Caller } from './caller.ts';
import { assertClientCapability } from './client-capability.ts';
import { ServerError } from './errors.ts';
import { formSchema } from './form-schema.ts';

/** @throws ServerError `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION` for what another revision has; a vendor's pass */
export function assertKnown(codec: Codec, method: string): void {
  if (isSpecMethod(method) && codec.method(method) === undefined) throw unknownTo(codec, method, method);
}

function unknownTo(codec: Codec, method: string, what: string): ServerError {
  return new ServerError('METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION', {
    message: `revision ${codec.version} has no ${what}`,
    data: { method },
  });
}

type Params = Readonly<Record<string, unknown>> | undefined;

/** A notification that came with pages to open; revisions without it have no such questions. */
const PAGE_METHOD = 'notifications/elicitation/complete';

/** Whether a revision knows questions that send the person to a page. */
export function knowsPages(codec: Codec): boolean {
  return codec.era === 'modern' || codec.method(PAGE_METHOD) !== undefined;
}

/**
 * Refuses, before anything is sent, what the connection's revision does not have, the client did not
 * declare, or no client could answer.
 *
 * @throws ServerError `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`, `CAPABILITY_NOT_SUPPORTED`,
 *   `INVALID_INPUT_REQUEST`
 */
export function assertAskable(caller: Caller, method: string, params: Params): void {
  const { codec, capabilities } = caller;
  assertKnown(codec, method);
  if (params?.['mode'] === 'url' && !knowsPages(codec)) {
    throw unknownTo(codec, method, 'questions that send people to a page');
  }
  assertClientCapability(method, params, capabilities);
  assertAnswerable(method, params);
}

/**
 * Asks a client: the question is checked before it is sent, the answer before it is handed on.
 * @throws as `assertAskable` and `checkedAnswer`, and what sending throws
 */
export async function askClient(
  caller: Caller,
  { method, params }: { readonly method: string; readonly params: Params },
  send: () => Promise<unknown>,
): Promise<unknown> {
  assertAskable(caller, method, params);
  let answer: unknown;
  try {
    answer = await send();
  } catch (error) {
    throw toLocalError(error);
  }
  return checkedAnswer(method, params, answer);
}

/**
 * Refuses questions that break the rules for their kind.
 * @throws ServerError `INVALID_INPUT_REQUEST`
 */
export function assertAnswerable(method: string, params: Params): void {
  if (method === 'elicitation/create') {
    if (params?.['mode'] === 'url') assertPage(params['url']);
    else formSchema(params?.['requestedSchema'] as ElicitRequestFormParams['requestedSchema']);
  }
  if (method === 'sampling/createMessage' && params !== undefined) {
    const { messages } = params as unknown as CreateMessageRequestParams;
    const fault = Array.isArray(messages) ? samplingMessagesFault(messages) : 'there are no messages';
    if (fault !== undefined) throw new ServerError('INVALID_INPUT_REQUEST', { message: fault });
  }
}

/** @throws ServerError `INVALID_INPUT_REQUEST` unless it is an http or https address */
export function assertPage(url: unknown): void {
  const protocol = typeof url === 'string' && URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol === 'https:' || protocol === 'http:') return;
  throw new ServerError('INVALID_INPUT_REQUEST', { message: 'a page to open has an http or https address' });
}

/** True for what a client may answer one of the three questions with, told by its shape. */
export function isBareAnswer(answer: unknown): boolean {
  if (!isRecord(answer) || 'method' in answer) return false;
  return isElicitResult(answer) || isCreateMessageResult(answer) || isListRootsResult(answer);
}

/**
 * A client's answer, checked against the question.
 * @throws ProtocolError -32602 for an answer that does not fit
 */
function checkedAnswer(method: string, params: Params, answer: unknown): unknown {
  switch (method) {
    case 'elicitation/create':
      return checkedForm(params, answer);
    case 'sampling/createMessage':
      if (!isCreateMessageResult(answer)) throw unfit('no message');
      if (
        Array.isArray(answer.content) &&
        params?.['tools'] === undefined &&
        params?.['toolChoice'] === undefined
      ) {
        throw unfit('several blocks although no tools were offered');
      }
      return answer;
    case 'roots/list':
      if (!isListRootsResult(answer)) throw unfit('no list of roots');
      return answer;
    default:
      return answer;
  }
}

function checkedForm(params: Params, answer: unknown): unknown {
  if (!isElicitResult(answer)) throw unfit('no elicitation result');
  const { action, content } = answer;
  if (action !== 'accept' || params?.['mode'] === 'url') return answer;
  const schema = params?.['requestedSchema'] as ElicitRequestFormParams['requestedSchema'];
  const fault = elicitContentFault(schema, content ?? {});
  if (fault !== undefined) throw unfit(`a form that does not fit: ${fault}`);
  return answer;
}

function unfit(what: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, `The client answered ${what}.`);
}
