import { systemClock } from '@portico/rpc';
import type { Clock, Timer } from '@portico/rpc';

/** A clock that runs as the system's, and can be put forward: what is due by then runs at once. */
export interface SkippingClock extends Clock {
  /** @param ms how far */
  skip(ms: number): void;
}

export function createSkippingClock(): SkippingClock {
  let aheadMs = 0;
  const now = (): number => systemClock.now() + aheadMs;
  const armed = new Set<{ readonly dueMs: number; readonly fire: () => void }>();
  return {
    now,
    setTimer(delayMs, run): Timer {
      const fire = (): void => {
        armed.delete(entry);
        timer.cancel();
        run();
      };
      const entry = { dueMs: now() + delayMs, fire };
      const timer = systemClock.setTimer(delayMs, fire);
      armed.add(entry);
      return {
        cancel() {
          armed.delete(entry);
          timer.cancel();
        },
        unref: () => timer.unref?.(),
        ref: () => timer.ref?.(),
      };
    },
    skip(ms) {
      aheadMs += ms;
      const due = [...armed].filter(({ dueMs }) => dueMs <= now()).sort((a, b) => a.dueMs - b.dueMs);
      // Later than this call, as timers run.
      for (const { fire } of due) setImmediate(fire);
    },
  };
}
