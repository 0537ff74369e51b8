import type { Clock } from '@portico/rpc';
import type { DecodedResult, InputRequiredResult, Result } from '@portico/spec';
import { SdkError } from './errors.ts';
import type { ClientContext, IncomingRequest } from './handlers.ts';
import type { RequestOptions } from './request-options.ts';

/** How requests for input are answered. */
export interface InputRequiredOptions {
  /** Whether registered handlers are asked; true by default. */
  readonly autoFulfill?: boolean;
  /** Rounds before the call fails; 10 by default. */
  readonly maxRounds?: number;
}

const MAX_ROUNDS = 10;
/** Least time between rounds that ask for nothing, milliseconds. */
const STATE_ROUND_SPACING_MS = 250;

/** What a flow of rounds needs. */
export interface InputPort {
  readonly clock: Clock;
  /** Sends the request of one round. */
  send(params: object, options: RequestOptions): Promise<DecodedResult>;
  /** Asks this side's handler. */
  ask(request: IncomingRequest, context: ClientContext): unknown;
}

async function gather(
  port: InputPort,
  interim: InputRequiredResult,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> {
  const asked = Object.entries(interim.inputRequests ?? {});
  const given = signal ?? new AbortController().signal;
  const answers = await Promise.all(
    asked.map(async ([key, request]) => {
      const mcpReq = { id: undefined, method: request.method, signal: given };
      const seen = request as unknown as IncomingRequest;
      return [key, await port.ask(seen, { mcpReq })] as const;
    }),
  );
  return Object.fromEntries(answers);
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(ms, resolve);
  });
}

/** Limits of one round: what is left of the time for all of them. */
function roundOptions(options: RequestOptions, leftMs: number | undefined): RequestOptions {
  if (leftMs === undefined) return options;
  if (leftMs > 0) return { ...options, maxTotalTimeout: leftMs };
  throw new SdkError('REQUEST_TIMEOUT', { data: { timeout: options.maxTotalTimeout } });
}

/**
 * Sends a request that may be answered with a wish for input, gets that input from this side's handlers
 * and sends the request again with it, until a final answer comes. Ids differ from round to round, the
 * server's state goes back untouched.
 *
 * @throws SdkError `INPUT_REQUIRED_ROUNDS_EXCEEDED`, `REQUEST_TIMEOUT`, what a request throws; what a
 *   handler throws
 */
export async function requestWithInput(
  port: InputPort,
  params: object,
  settings: { readonly options: RequestOptions; readonly input: InputRequiredOptions },
): Promise<DecodedResult> {
  const { options, input } = settings;
  const maxRounds = input.maxRounds ?? MAX_ROUNDS;
  const totalMs = options.maxTotalTimeout;
  const endMs = totalMs === undefined ? undefined : port.clock.now() + totalMs;
  let current = params;
  for (let round = 1; ; round++) {
    const leftMs = endMs === undefined ? undefined : endMs - port.clock.now();
    const answer = await port.send(current, roundOptions(options, leftMs));
    if (answer.kind !== 'input_required') return answer;
    if (options.allowInputRequired === true || input.autoFulfill === false) return answer;
    if (round === maxRounds) {
      throw new SdkError('INPUT_REQUIRED_ROUNDS_EXCEEDED', { data: { rounds: round, last: answer.result } });
    }
    const { inputRequests, requestState } = answer.result;
    if (inputRequests === undefined) await pause(port.clock, STATE_ROUND_SPACING_MS);
    const inputResponses = await gather(port, answer.result, options.signal);
    current = {
      ...params,
      ...(inputRequests === undefined ? {} : { inputResponses }),
      ...(requestState === undefined ? {} : { requestState }),
    };
  }
}

/**
 * The final result of an answer.
 *
 * @throws SdkError `UNSUPPORTED_RESULT_TYPE`, `INVALID_RESULT`
 */
export function finalResult(method: string, answer: DecodedResult): Result {
  switch (answer.kind) {
    case 'complete':
      return answer.result;
    case 'input_required':
      return answer.result;
    case 'unsupported':
      throw new SdkError('UNSUPPORTED_RESULT_TYPE', { data: { resultType: answer.resultType } });
    case 'task':
      throw new SdkError('UNSUPPORTED_RESULT_TYPE', { data: { resultType: answer.kind } });
    case 'invalid':
      if (answer.resultType !== undefined) {
        throw new SdkError('UNSUPPORTED_RESULT_TYPE', { data: { resultType: answer.resultType } });
      }
      throw new SdkError('INVALID_RESULT', { message: `the answer to ${method} is malformed` });
  }
}
