/** One armed timer. */
export interface Timer {
  /** Disarms it. Does nothing when it has run or was cancelled. */
  cancel(): void;
  /** Lets the process end although this is armed, where there is such a thing. */
  unref?(): void;
  /** Takes {@link Timer.unref} back. */
  ref?(): void;
}

/** Time, injected so that tests drive it by hand. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Runs `run` once after `delayMs` milliseconds, never within this call. */
  setTimer(delayMs: number, run: () => void): Timer;
}
