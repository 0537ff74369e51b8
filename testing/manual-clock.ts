import { vi } from 'vitest';
import type { Clock, Timer } from '@portico/rpc';

interface Pending {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** A clock that moves only when the test says so. */
export interface ManualClock extends Clock {
  /** Moves on by `ms`, running due timers in order and letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** How many timers are armed. */
  readonly armed: number;
}

const turn = async (): Promise<void> => {
  for (let count = 0; count < 20; count++) await new Promise<void>((resolve) => setImmediate(resolve));
};

/** Lets go on what waits for promises, for modules that are loaded at first use, and for a digest. */
const settle = async (): Promise<void> => {
  await turn();
  await vi.dynamicImportSettled();
  // Digests are made by another thread in the order in which they are asked for.
  await crypto.subtle.digest('SHA-256', new Uint8Array(1));
  await turn();
};

/** @param startMs first answer of `now()`, epoch milliseconds */
export function createManualClock(startMs = 1_700_000_000_000): ManualClock {
  let nowMs = startMs;
  let order = 0;
  const timers = new Set<Pending>();
  const nextDue = (limitMs: number): Pending | undefined =>
    [...timers]
      .filter((timer) => timer.dueMs <= limitMs)
      .sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
  return {
    now: () => nowMs,
    setTimer(delayMs: number, run: () => void): Timer {
      const timer: Pending = { dueMs: nowMs + Math.max(0, delayMs), order: order++, run };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    async advance(ms: number): Promise<void> {
      const endMs = nowMs + ms;
      await settle();
      for (let due = nextDue(endMs); due !== undefined; due = nextDue(endMs)) {
        timers.delete(due);
        nowMs = due.dueMs;
        due.run();
        await settle();
      }
      nowMs = endMs;
    },
    get armed() {
      return timers.size;
    },
  };
}
