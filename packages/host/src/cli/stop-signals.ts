import type { Clock } from '../ports/clock.ts';

/** How long closing may take after the first signal: 25 s, in milliseconds. */
const CLOSE_LIMIT_MS = 25_000;

/** Exit code after a second signal. */
const INTERRUPTED = 130;
const UNEXPECTED = 1;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface StopSignals {
  /** Settles with the first signal that asks the program to end. */
  readonly stopped: Promise<void>;
  /** Stops listening. */
  release(): void;
}

/** The part of `process` that is needed here. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): void;
}

/**
 * Waits for a signal to end. From then on a second one ends the program at once, and so does the time
 * limit when closing takes longer than 25 s (K178).
 */
export function waitForStop(source: SignalSource, clock: Clock): StopSignals {
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let asked = false;
  const onSignal = (): void => {
    if (asked) {
      source.exit(INTERRUPTED);
      return;
    }
    asked = true;
    clock.setTimer(CLOSE_LIMIT_MS, () => source.exit(UNEXPECTED)).unref?.();
    stop();
  };
  for (const signal of SIGNALS) source.on(signal, onSignal);
  return {
    stopped,
    release() {
      for (const signal of SIGNALS) source.off(signal, onSignal);
    },
  };
}
