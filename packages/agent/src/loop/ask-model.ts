import { randomUUID } from 'node:crypto';
import type { Clock } from '@portico/rpc';
import { AgentError, isProviderError, messageOf } from '../errors.ts';
import type { ProviderErrorCode } from '../errors.ts';
import type { ModelProvider, ModelRequest, ModelStreamEvent } from '../provider/model-provider.ts';
import { raceAbort } from './abort-race.ts';
import { createAnswerReader } from './answer-reader.ts';
import type { Answer, AnswerPart, AnswerReader } from './answer-reader.ts';

/** Longest time in milliseconds that a finished block waits for the event after it. */
const HOLD_MS = 100;

/** How one request ended. `answer` holds what arrived, whole or not. */
export interface AskOutcome {
  readonly answer: Answer;
  /** Whether any content arrived. */
  readonly begun: boolean;
  readonly end: 'complete' | 'aborted' | AgentError<ProviderErrorCode>;
}

export interface AskOptions {
  readonly provider: ModelProvider;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds without an event after which the stream counts as broken. */
  readonly silenceLimitMs: number;
  /** Passes parts on; its promise is waited for, which slows the reading down. */
  deliver(parts: readonly AnswerPart[]): Promise<void>;
  /** Called once, when the first event has arrived. */
  onFirstEvent(): void;
}

/** A provider's failure as an AgentError; what is none counts as unreachable. */
function providerFailure(thrown: unknown): AgentError<ProviderErrorCode> {
  if (isProviderError(thrown)) return thrown;
  return new AgentError('provider_unreachable', {}, { cause: thrown, message: messageOf(thrown) });
}

function silence(reader: AnswerReader, limitMs: number): AgentError<ProviderErrorCode> {
  const code = reader.begun ? 'provider_stream_cut' : 'provider_unreachable';
  return new AgentError(
    code,
    {},
    { message: `The model provider was silent for ${limitMs / 1000} seconds.` },
  );
}

/** The next event; a held block is delivered when that takes longer than {@link HOLD_MS}. */
async function nextEvent(
  pending: Promise<IteratorResult<ModelStreamEvent>>,
  reader: AnswerReader,
  options: AskOptions,
): Promise<IteratorResult<ModelStreamEvent>> {
  if (!reader.holding) return await pending;
  let release = (): void => {};
  const waited = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
  const timer = options.clock.setTimer(HOLD_MS, release);
  const first = await Promise.race([pending, waited]).finally(() => timer.cancel());
  if (first !== undefined) return first;
  await options.deliver(reader.flush());
  return await pending;
}

async function readEvents(
  iterator: AsyncIterator<ModelStreamEvent>,
  reader: AnswerReader,
  options: AskOptions & { readonly stop: AbortController },
): Promise<void> {
  const { stop } = options;
  let first = true;
  for (;;) {
    const silent = options.clock.setTimer(options.silenceLimitMs, () =>
      stop.abort(silence(reader, options.silenceLimitMs)),
    );
    const next = await raceAbort(nextEvent(iterator.next(), reader, options), stop.signal).finally(() =>
      silent.cancel(),
    );
    if (next.done === true) break;
    if (first) options.onFirstEvent();
    first = false;
    const parts = reader.accept(next.value);
    if (parts.length > 0) await options.deliver(parts);
  }
  if (!reader.complete) throw new AgentError('provider_stream_cut', {});
}

/** Asks once. Never rejects for what the provider does. */
export async function askModel(request: ModelRequest, options: AskOptions): Promise<AskOutcome> {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(options.signal.reason);
  options.signal.addEventListener('abort', onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  const reader = createAnswerReader({
    id: `msg_${randomUUID()}`,
    model: request.model,
    tooLong: () =>
      new AgentError('provider_stream_cut', {}, { message: 'The answer is too long to be kept.' }),
  });
  let iterator: AsyncIterator<ModelStreamEvent> | undefined;
  try {
    iterator = options.provider.stream(request, { signal: stop.signal })[Symbol.asyncIterator]();
    await readEvents(iterator, reader, { ...options, stop });
    await options.deliver(reader.flush());
    return { answer: reader.answer(), begun: true, end: 'complete' };
  } catch (thrown) {
    await options.deliver(reader.salvage());
    const end = options.signal.aborted ? 'aborted' : providerFailure(thrown);
    return { answer: reader.answer(), begun: reader.begun, end };
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    stop.abort();
    // The stream is given up; whatever it still does is of no interest.
    iterator?.return?.()?.catch(() => {});
  }
}
