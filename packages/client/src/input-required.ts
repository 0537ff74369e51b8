import type { Clock } from '@portico/rpc';
import type { DecodedResult, InputRequest, InputRequiredResult } from '@portico/spec';
import { SdkError } from './errors.ts';
import type { RequestOptions } from './request-options.ts';
import { abortWith, pause, unlessAborted } from './waiting.ts';

/** How requests for input are answered. */
export interface InputRequiredOptions {
  /** Whether registered handlers are asked; true by default. Otherwise interim answers go to the caller. */
  readonly autoFulfill?: boolean;
  /** Times that input is sent before the call fails; 10 by default. */
  readonly maxRounds?: number;
}

const MAX_ROUNDS = 10;
/** Least time between rounds that ask for nothing, milliseconds. */
const STATE_ROUND_SPACING_MS = 250;

/** What a flow of rounds needs. */
export interface InputPort {
  readonly clock: Clock;
  /** Sends the request of one round. */
  send(method: string, params: object | undefined, options: RequestOptions): Promise<DecodedResult>;
  /** Asks this side's handler. */
  ask(key: string, question: InputRequest, signal: AbortSignal): Promise<unknown>;
}

/** One request on its way through its rounds. */
export interface InputFlow {
  readonly method: string;
  readonly params: object | undefined;
  readonly options: RequestOptions;
  readonly input: InputRequiredOptions;
  /** When the first round was sent. */
  readonly startedMs: number;
  /** Fires with the end of the connection, between rounds too. */
  readonly ended: AbortSignal;
}

/** Asks all at once. When one cannot be answered the others are given up. */
async function gather(
  port: InputPort,
  interim: InputRequiredResult,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const asking = new AbortController();
  const release = abortWith(asking, [signal]);
  try {
    const asked = Object.entries(interim.inputRequests ?? {});
    const answers = asked.map(async ([key, question]): Promise<[string, unknown]> => [
      key,
      await port.ask(key, question, asking.signal),
    ]);
    return Object.fromEntries(await unlessAborted(Promise.all(answers), asking.signal));
  } catch (error) {
    asking.abort(error);
    throw error;
  } finally {
    release();
  }
}

/** Limits of one round: what is left of the time for all of them. */
function roundOptions({ options, startedMs }: InputFlow, nowMs: number): RequestOptions {
  const { maxTotalTimeout } = options;
  if (maxTotalTimeout === undefined) return options;
  const leftMs = startedMs + maxTotalTimeout - nowMs;
  if (leftMs > 0) return { ...options, maxTotalTimeout: leftMs };
  throw new SdkError('REQUEST_TIMEOUT', { data: { timeout: maxTotalTimeout } });
}

/** The request again: with the answers and the state of the round before, and of no other. */
function nextParams(
  params: object | undefined,
  interim: InputRequiredResult,
  answers: object,
): Record<string, unknown> {
  const next: Record<string, unknown> = { ...params };
  delete next['inputResponses'];
  delete next['requestState'];
  if (interim.inputRequests !== undefined) next['inputResponses'] = answers;
  if (interim.requestState !== undefined) next['requestState'] = interim.requestState;
  return next;
}

/**
 * Goes on with a request that was answered with a wish for input: gets that input from this side's
 * handlers and sends the request again with it, until a final answer comes. Ids differ from round to
 * round, the server's state goes back untouched.
 *
 * @throws SdkError `INPUT_REQUIRED_ROUNDS_EXCEEDED`, `REQUEST_TIMEOUT`, `REQUEST_ABORTED`,
 *   `CONNECTION_CLOSED`, what a request throws; what a handler throws
 */
export async function fulfilInput(
  port: InputPort,
  first: InputRequiredResult,
  flow: InputFlow,
): Promise<DecodedResult> {
  const leaving = new AbortController();
  const release = abortWith(leaving, [flow.options.signal, flow.ended]);
  try {
    return await driveRounds(port, first, { ...flow, leaving: leaving.signal });
  } finally {
    release();
  }
}

async function driveRounds(
  port: InputPort,
  first: InputRequiredResult,
  flow: InputFlow & { readonly leaving: AbortSignal },
): Promise<DecodedResult> {
  const maxRounds = flow.input.maxRounds ?? MAX_ROUNDS;
  let interim = first;
  for (let round = 1; round <= maxRounds; round++) {
    if (interim.inputRequests === undefined) await pause(port.clock, STATE_ROUND_SPACING_MS, flow.leaving);
    const answers = await gather(port, interim, flow.leaving);
    const params = nextParams(flow.params, interim, answers);
    const answer = await port.send(flow.method, params, roundOptions(flow, port.clock.now()));
    if (answer.kind !== 'input_required') return answer;
    interim = answer.result;
  }
  throw new SdkError('INPUT_REQUIRED_ROUNDS_EXCEEDED', { data: { rounds: maxRounds, lastResult: interim } });
}
