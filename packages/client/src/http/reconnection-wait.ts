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
    let callOff: (() => void) | void;
    if (scheduler === undefined) {
      const timer = clock.setTimer(plan.delayMs, go);
      callOff = () => timer.cancel();
    } else {
      callOff = scheduler(go, plan.delayMs, plan.attempt);
    }
    scope.during(() => {
      callOff?.();
      resolve();
    });
  });
}
