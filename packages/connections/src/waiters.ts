import type { Clock } from '@portico/rpc';
import { ConnectionsError } from './errors.ts';
import type { ConnectionState } from './state.ts';

/** Who waits for a connection that is being opened. */
export class Waiters {
  readonly #id: string;
  readonly #waiting = new Set<(state: ConnectionState) => void>();

  constructor(id: string) {
    this.#id = id;
  }

  settle(state: ConnectionState): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const settle of waiting) settle(state);
  }

  /** The state that the opening ends with. */
  settled(): Promise<ConnectionState> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
    });
  }

  /**
   * The state that the opening ends with, or the present one when the time is over.
   *
   * @throws ConnectionsError `cancelled` when the caller's patience is
   */
  settledWithin(
    limitMs: number,
    {
      clock,
      signal,
      state,
    }: {
      readonly clock: Clock;
      readonly signal: AbortSignal | undefined;
      readonly state: () => ConnectionState;
    },
  ): Promise<ConnectionState> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        timer.cancel();
        this.#waiting.delete(done);
        signal?.removeEventListener('abort', abort);
      };
      const done = (settled: ConnectionState): void => {
        end();
        resolve(settled);
      };
      const abort = (): void => {
        end();
        reject(new ConnectionsError('cancelled', { id: this.#id }, { cause: signal?.reason }));
      };
      const timer = clock.setTimer(limitMs, () => done(state()));
      this.#waiting.add(done);
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted === true) abort();
    });
  }
}
