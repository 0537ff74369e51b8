import type { Clock } from '@portico/rpc';
import type { AgentError, ProviderErrorCode } from '../errors.ts';
import { raceAbort } from './abort-race.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** A provider that asks for a longer pause than this ends the turn. */
const LONGEST_HINT_MS = 60_000;

/**
 * How long to wait before asking again, in milliseconds, or nothing when asking again is no use:
 * only 429 and server errors are worth it. The provider's own hint replaces a shorter wait.
 * @param attempt 1 for the first repetition
 */
export function retryWaitMs(error: AgentError<ProviderErrorCode>, attempt: number): number | undefined {
  if (error.code !== 'provider_rate_limited' && error.code !== 'provider_overloaded') return undefined;
  const hint = error.data.retryAfterMs ?? 0;
  if (hint > LONGEST_HINT_MS) return undefined;
  // A little chance keeps many callers from coming back at the same moment.
  const grown = FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + Math.random() / 4);
  return Math.max(hint, Math.min(LONGEST_WAIT_MS, Math.round(grown)));
}

/** Waits; rejects with the signal's reason as soon as it fires. */
export async function pause(clock: Clock, waitMs: number, signal: AbortSignal): Promise<void> {
  let timer: { cancel(): void } | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = clock.setTimer(waitMs, resolve);
  });
  await raceAbort(waited, signal).finally(() => timer?.cancel());
}
