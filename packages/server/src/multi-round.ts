import { ErrorCode, ProtocolError, isProtocolError } from '@portico/rpc';
import {
  type InputRequiredResult,
  isRecord,
  missingRequiredClientCapabilityError,
  type Result,
} from '@portico/spec';
import type { Caller } from './caller.ts';
import type { RequestChannel } from './channel.ts';
import { missingCapabilities, neededCapabilities } from './client-capability.ts';
import {
  assertAnswerable as assertAnswerableRequest,
  assertAskable,
  isBareAnswer,
} from './client-request.ts';
import { type Round, type ServerContext, createContext } from './context.ts';
import { ServerError } from './errors.ts';
import { isInputRequired } from './input-required.ts';
import type { TaskService } from './tasks/task-service.ts';
import { protocolError } from './wire-error.ts';

/** How questions of handlers are served. */
export interface InputRequiredOptions {
  /** Runs of a handler per request in a legacy session. Default 8. */
  readonly maxRounds?: number;
  /** Milliseconds a person may take to answer one question in a legacy session. Default 600 000. */
  readonly roundTimeoutMs?: number;
  /** Whether questions are asked in legacy sessions at all. Default true. */
  readonly legacyShim?: boolean;
}

/** Checks state that came back; what it returns is what the handler sees. */
export type VerifyRequestState = (state: string, context: ServerContext) => unknown;

const DEFAULT_MAX_ROUNDS = 8;
const DEFAULT_ROUND_TIMEOUT_MS = 600_000;

type Handler = (
  request: { readonly method: string; readonly params: Readonly<Record<string, unknown>> },
  context: ServerContext,
) => unknown;

/** One request that may take several rounds. */
export interface MultiRoundRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly caller: Caller;
  readonly channel: RequestChannel;
  readonly handler: Handler;
  readonly options: InputRequiredOptions;
  readonly verify: VerifyRequestState | undefined;
  readonly report: (error: Error) => void;
  readonly tasks?: TaskService | undefined;
}

/**
 * Runs a handler that may ask questions. A modern caller gets the questions as an interim result; a
 * legacy one is asked by requests of the server, and the handler runs again with the answers.
 *
 * @throws ProtocolError -32021 when a modern caller cannot answer, -32602 for state that was refused
 */
export function serveRounds(request: MultiRoundRequest): unknown {
  const { params } = request;
  // Most requests are the first and only round; they pay for nothing else.
  if (!('inputResponses' in params) && !('requestState' in params)) {
    const outcome = runRound(request, params);
    return outcome instanceof Promise
      ? outcome.then((settled: unknown) => afterRound(request, params, settled))
      : afterRound(request, params, outcome);
  }
  return serveLaterRound(request);
}

async function serveLaterRound(request: MultiRoundRequest): Promise<unknown> {
  const { inputResponses, requestState, ...params } = request.params;
  const outcome = await runRound(request, params, {
    ...bareResponses(inputResponses),
    state: await verified(request, requestState),
  });
  return afterRound(request, params, outcome);
}

function afterRound(
  request: MultiRoundRequest,
  params: Readonly<Record<string, unknown>>,
  outcome: unknown,
): unknown {
  if (!isInputRequired(outcome)) return outcome;
  assertAsks(outcome);
  if (request.caller.codec.era === 'legacy') return askLegacy(request, params, outcome);
  assertAnswerable(request.caller, outcome);
  return outcome;
}

async function askLegacy(
  request: MultiRoundRequest,
  params: Readonly<Record<string, unknown>>,
  first: InputRequiredResult,
): Promise<unknown> {
  const maxRounds = request.options.maxRounds ?? DEFAULT_MAX_ROUNDS;
  let questions = first;
  try {
    for (let round = 1; round < maxRounds; round++) {
      const responses = await askAll(request, questions);
      const state = await verified(request, questions.requestState);
      const outcome = await runRound(request, params, { responses, state });
      if (!isInputRequired(outcome)) return outcome;
      assertAsks(outcome);
      questions = outcome;
    }
    throw new ServerError('INVALID_INPUT_REQUEST', {
      message: `the handler still asks after ${String(maxRounds)} rounds`,
    });
  } catch (error) {
    if (request.method !== 'tools/call' || isRefusedState(error)) throw error;
    const text = error instanceof Error ? error.message : String(error);
    return { content: [{ type: 'text', text }], isError: true } satisfies Result;
  }
}

async function askAll(
  { channel, caller, options }: MultiRoundRequest,
  { inputRequests = {} }: InputRequiredResult,
): Promise<Readonly<Record<string, unknown>>> {
  const { request } = channel;
  if (request === undefined || options.legacyShim === false) {
    throw new ServerError('NOT_CONNECTED', {
      message: 'this connection has no way to ask the client a question',
    });
  }
  const timeoutMs = options.roundTimeoutMs ?? DEFAULT_ROUND_TIMEOUT_MS;
  const answers = Object.entries(inputRequests).map(async ([key, { method, params }]) => {
    const given = params === undefined ? undefined : withPageId({ ...params });
    assertAskable(caller, method, given);
    const answer = await request(method, given, { timeoutMs, resetTimeoutOnProgress: true });
    return [key, answer] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

function runRound(
  { method, meta, caller, channel, handler, tasks }: MultiRoundRequest,
  params: Readonly<Record<string, unknown>>,
  round?: Round,
): unknown {
  const parts = { method, caller, channel, meta, tasks };
  return handler({ method, params }, createContext(round === undefined ? parts : { ...parts, round }));
}

/** What a refused state is told by, in whichever era. */
const REFUSED_STATE = 'invalid_request_state';

function isRefusedState(error: unknown): boolean {
  const data = isProtocolError(error) ? error.data : undefined;
  return isRecord(data) && data['reason'] === REFUSED_STATE;
}

/** Whatever the check throws stays on this side; the caller learns only that it failed. */
async function verified(request: MultiRoundRequest, state: unknown): Promise<unknown> {
  if (state === undefined) return undefined;
  const refusal = new ProtocolError(ErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: REFUSED_STATE,
  });
  if (typeof state !== 'string') throw refusal;
  if (request.verify === undefined) return state;
  const { method, meta, caller, channel } = request;
  try {
    const context = createContext({ method, caller, channel, meta });
    const value: unknown = await request.verify(state, context);
    return value === undefined ? state : value;
  } catch (error) {
    request.report(error instanceof Error ? error : new TypeError(String(error)));
    throw refusal;
  }
}

/** Answers are plain results of the three kinds; anything else is passed over, and its key named. */
function bareResponses(given: unknown): Pick<Round, 'responses' | 'droppedKeys'> {
  if (!isRecord(given)) return { responses: undefined };
  const entries = Object.entries(given);
  const bare = entries.filter(([, answer]) => isBareAnswer(answer));
  const responses = Object.fromEntries(bare);
  if (bare.length === entries.length) return { responses };
  return { responses, droppedKeys: entries.flatMap(([key, answer]) => (isBareAnswer(answer) ? [] : [key])) };
}

/** Revision 2025-11-25 wants an id for a page, by which its end can be told. */
function withPageId(params: Record<string, unknown>): Record<string, unknown> {
  return params['mode'] === 'url' ? { elicitationId: crypto.randomUUID(), ...params } : params;
}

function assertAsks(outcome: InputRequiredResult): void {
  if (Object.keys(outcome.inputRequests ?? {}).length > 0 || outcome.requestState !== undefined) {
    for (const { method, params } of Object.values(outcome.inputRequests ?? {})) {
      assertAnswerableRequest(method, params === undefined ? undefined : { ...params });
    }
    return;
  }
  throw new ProtocolError(ErrorCode.InternalError, 'An interim result has input requests or request state.');
}

function assertAnswerable(caller: Caller, { inputRequests = {} }: InputRequiredResult): void {
  const lacking: Record<string, unknown> = {};
  for (const { method, params } of Object.values(inputRequests)) {
    const needed = neededCapabilities(method, params === undefined ? undefined : { ...params });
    Object.assign(lacking, missingCapabilities(needed, caller.capabilities));
  }
  if (Object.keys(lacking).length === 0) return;
  throw protocolError(missingRequiredClientCapabilityError(lacking));
}
