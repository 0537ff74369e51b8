// oxlint-disable no-restricted-globals -- the one place where the global timers become a Clock
import type { Clock, Timer } from './clock.ts';

/** Longest delay that the platforms' timers take, in milliseconds; longer ones would fire at once. */
const MAX_DELAY_MS = 2_147_483_647;

/** What Node returns from setTimeout; browsers return a number. */
interface CountedHandle {
  ref(): unknown;
  unref(): unknown;
}

function isCounted(handle: unknown): handle is CountedHandle {
  return typeof handle === 'object' && handle !== null && 'unref' in handle && 'ref' in handle;
}

/** The platform's own time. Delays above 2^31 − 1 ms are cut to that. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    setTimer(delayMs, run): Timer {
      const handle: unknown = setTimeout(run, Math.min(Math.max(delayMs, 0), MAX_DELAY_MS));
      const cancel = (): void => clearTimeout(handle as number);
      if (!isCounted(handle)) return { cancel };
      return {
        cancel,
        ref: () => void handle.ref(),
        unref: () => void handle.unref(),
      };
    },
  };
}

/** A ready {@link createSystemClock}; it holds no state. */
export const systemClock: Clock = createSystemClock();
