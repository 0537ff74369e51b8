import type { Clock } from '@portico/rpc';

/** Collects what is said within a task, so that a burst is told once. */
export class Bursts {
  readonly #clock: Clock;
  readonly #told: (id: string) => void;
  readonly #ids = new Set<string>();

  /** @param told must not throw */
  constructor(clock: Clock, told: (id: string) => void) {
    this.#clock = clock;
    this.#told = told;
  }

  add(id: string): void {
    this.#ids.add(id);
    if (this.#ids.size > 1) return;
    this.#clock.setTimer(0, () => {
      const ids = [...this.#ids];
      this.#ids.clear();
      for (const each of ids) this.#told(each);
    });
  }
}
