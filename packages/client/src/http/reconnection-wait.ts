import { runGuarded } from '@portico/rpc';
import type { Clock, ExchangeScope } from '@portico/rpc';
import type { Reconnection, StreamableHTTPReconnectionOptions } from './reconnection.ts';

/** Shortest and longest wait that a server may ask for, milliseconds. */
const MIN_ASKED_MS = 100;
const MAX_ASKED_MS = 3_600_000;

/** The wait before a try. */
export function reconnectionDelayMs(
  options: StreamableHTTPReconnectionOptions,
  failures: number,
  askedMs: number | undefined,
): number {
  if (askedMs !== undefined) return Math.min(Math.max(askedMs, MIN_ASKED_MS), MAX_ASKED_MS);
  const { initialReconnectionDelay, reconnectionDelayGrowFactor: factor } = options;
  return Math.min(initialReconnectionDelay * factor ** failures, options.maxReconnectionDelay);
}

/** Resolves when the time for a try has come, or as soon as nobody waits any more. */
export function waitForTry(
  plan: { readonly delayMs: number; readonly attempt: number },
  reconnection: Reconnection & { readonly clock: Clock },
  scope: ExchangeScope,
): Promise<void> {
  const { clock, scheduler } = reconnection;
  return new Promise((resolve) => {
    const go = (): void => {
      scope.during(undefined);
      resolve();
    };
    const callOff = schedule(scheduler, go, plan) ?? wait(clock, go, plan.delayMs);
    scope.during(() => {
      resolve();
      runGuarded('reconnectionScheduler', callOff, () => undefined);
    });
  });
}

function wait(clock: Clock, go: () => void, delayMs: number): () => void {
  const timer = clock.setTimer(delayMs, go);
  return () => timer.cancel();
}

/** What calls the scheduler's try off. A scheduler that throws is as if there were none. */
function schedule(
  scheduler: Reconnection['scheduler'],
  go: () => void,
  { delayMs, attempt }: { readonly delayMs: number; readonly attempt: number },
): (() => void) | undefined {
  try {
    const callOff = scheduler?.(go, delayMs, attempt);
    return scheduler === undefined ? undefined : (callOff ?? ((): void => undefined));
  } catch {
    return undefined;
  }
}
