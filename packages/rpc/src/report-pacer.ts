import type { Clock, Timer } from './clock.ts';

/** Progress and log messages that one request may send in a second, by default. */
export const DEFAULT_MAX_REPORTS_PER_SECOND = 100;

const SECOND_MS = 1000;

/**
 * Lets at most so many messages out in any second. Of those beyond, only the newest is kept; it goes
 * out as soon as there is room, or when the pacer is flushed.
 */
export class ReportPacer {
  readonly #clock: Clock;
  /** One place less than the limit, so that a flush never passes it. */
  readonly #places: number;
  /** When the last messages left, as a ring. */
  readonly #sentAtMs: number[] = [];
  #oldest = 0;
  #held: (() => void) | undefined;
  #timer: Timer | undefined;

  constructor(clock: Clock, maxPerSecond: number) {
    this.#clock = clock;
    this.#places = Math.max(1, maxPerSecond - 1);
  }

  /** Runs `send` now or later; a later message may take its place before. */
  pass(send: () => void): void {
    const nowMs = this.#clock.now();
    const roomAtMs = this.#roomAtMs();
    if (this.#held === undefined && nowMs >= roomAtMs) {
      this.#note(nowMs);
      send();
      return;
    }
    this.#held = send;
    this.#timer ??= this.#clock.setTimer(Math.min(Math.max(0, roomAtMs - nowMs), SECOND_MS), () =>
      this.#release(),
    );
  }

  /** The request ends: what is held goes out first. */
  flush(): void {
    const held = this.#take();
    held?.();
  }

  /** Nobody listens any more: what is held is dropped. */
  stop(): void {
    this.#take();
  }

  #release(): void {
    const held = this.#take();
    if (held === undefined) return;
    this.#note(this.#clock.now());
    held();
  }

  #take(): (() => void) | undefined {
    const held = this.#held;
    this.#held = undefined;
    this.#timer?.cancel();
    this.#timer = undefined;
    return held;
  }

  #roomAtMs(): number {
    if (this.#sentAtMs.length < this.#places) return Number.NEGATIVE_INFINITY;
    return (this.#sentAtMs[this.#oldest] ?? 0) + SECOND_MS;
  }

  #note(nowMs: number): void {
    if (this.#sentAtMs.length < this.#places) {
      this.#sentAtMs.push(nowMs);
      return;
    }
    this.#sentAtMs[this.#oldest] = nowMs;
    this.#oldest = (this.#oldest + 1) % this.#places;
  }
}
