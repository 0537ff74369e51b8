/** Time as the console sees it, so that tests move it by hand. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  setTimer(delayMs: number, run: () => void): { cancel(): void };
}

export function createWindowClock(target: Pick<Window, 'setTimeout' | 'clearTimeout'>): Clock {
  return {
    now: () => Date.now(),
    setTimer(delayMs, run) {
      const handle = target.setTimeout(run, delayMs);
      return { cancel: () => target.clearTimeout(handle) };
    },
  };
}
