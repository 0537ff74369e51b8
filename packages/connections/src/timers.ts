import type { Clock, Timer } from '@portico/rpc';

/** Named timers: arming a name anew replaces what was armed under it. */
export class Timers {
  readonly #clock: Clock;
  readonly #armed = new Map<string, Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  arm(name: string, delayMs: number, run: () => void): void {
    this.cancel(name);
    const timer = this.#clock.setTimer(delayMs, () => {
      this.#armed.delete(name);
      run();
    });
    this.#armed.set(name, timer);
  }

  cancel(name: string): void {
    this.#armed.get(name)?.cancel();
    this.#armed.delete(name);
  }

  cancelAll(): void {
    for (const name of this.#armed.keys()) this.cancel(name);
  }
}
