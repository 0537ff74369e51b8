import type { ModelRequest } from '../provider/model-provider.ts';
import { askModel } from './ask-model.ts';
import type { AskOutcome } from './ask-model.ts';
import type { AnswerPart } from './answer-reader.ts';
import { pause, retryWaitMs } from './retry.ts';
import type { Run, Turn } from './run.ts';

const DEFAULT_MAX_RETRIES = 3;
const DEFAULT_SILENCE_LIMIT_MS = 60_000;
/** Overload answers in a row after which the fallback model takes over. */
const OVERLOADS_BEFORE_FALLBACK = 3;

/** Counts a turn's time inside the provider and its answers. */
async function askOnce(
  run: Run,
  turn: Turn,
  work: { readonly request: ModelRequest; deliver(parts: readonly AnswerPart[]): Promise<void> },
): Promise<AskOutcome> {
  const startedAtMs = run.clock.now();
  try {
    return await askModel(work.request, {
      provider: run.provider,
      clock: run.clock,
      signal: turn.signal,
      silenceLimitMs: run.portico.silenceLimitMs ?? DEFAULT_SILENCE_LIMIT_MS,
      deliver: (parts) => work.deliver(parts),
      onFirstEvent: () => (turn.figures.modelTurns += 1),
    });
  } finally {
    turn.figures.apiMs += Math.max(0, run.clock.now() - startedAtMs);
  }
}

/** Switches to the fallback model for the rest of the turn; says whether it did. */
function fallBack(run: Run, turn: Turn): boolean {
  const { fallbackModel } = run.options;
  if (fallbackModel === undefined || turn.model === fallbackModel) return false;
  run.warn(`${run.model()} is overloaded; ${fallbackModel} takes over for this turn.`);
  turn.model = fallbackModel;
  return true;
}

/**
 * Asks the model, again after 429 and server errors as long as nothing of an answer has arrived.
 * @param work `request` makes the request for a model; `deliver` passes parts of the answer on
 */
export async function askWithRetries(
  run: Run,
  turn: Turn,
  work: { request(model: string): ModelRequest; deliver(parts: readonly AnswerPart[]): Promise<void> },
): Promise<AskOutcome> {
  const maxRetries = run.portico.maxRetries ?? DEFAULT_MAX_RETRIES;
  let overloads = 0;
  for (let attempt = 1; ; attempt++) {
    const outcome = await askOnce(run, turn, {
      request: work.request(turn.model ?? run.model()),
      deliver: (parts) => work.deliver(parts),
    });
    if (typeof outcome.end === 'string' || outcome.begun) return outcome;
    overloads = outcome.end.code === 'provider_overloaded' ? overloads + 1 : 0;
    if (overloads >= OVERLOADS_BEFORE_FALLBACK && fallBack(run, turn)) {
      attempt = 0;
      continue;
    }
    const waitMs = attempt > maxRetries ? undefined : retryWaitMs(outcome.end, attempt);
    if (waitMs === undefined) return outcome;
    notice(run, { attempt, maxRetries, waitMs, error: outcome.end });
    try {
      await pause(run.clock, waitMs, turn.signal);
    } catch {
      return { ...outcome, end: 'aborted' };
    }
  }
}

function notice(run: Run, retry: Parameters<NonNullable<Run['portico']['onRetry']>>[0]): void {
  try {
    run.portico.onRetry?.(retry);
  } catch {
    run.warn('The onRetry callback threw.');
  }
}
