import type { Clock } from '@portico/rpc';

/** What is at work for as long as somebody holds it. */
export interface Held {
  readonly clock: Clock;
  begin(): void;
  end(): void;
}

/** Those who hold something together: it begins with the first, and ends within the task after the last. */
export class Holders {
  readonly #held: Held;
  #count = 0;

  constructor(held: Held) {
    this.#held = held;
  }

  /** @returns how to let go, once */
  hold(): () => void {
    this.#count += 1;
    this.#held.begin();
    let holds = true;
    return () => {
      if (!holds) return;
      holds = false;
      this.#count -= 1;
      // Whoever lets go and takes hold again within a task, as a framework does, keeps what is there.
      this.#held.clock.setTimer(0, () => {
        if (this.#count === 0) this.#held.end();
      });
    };
  }
}
