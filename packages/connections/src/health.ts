import { failureOf } from '@portico/client';
import type { Client } from '@portico/client';
import { isLineFailure } from './link-failure.ts';
import type { ConnectionLimits } from './options.ts';
import type { ConnectionFailure } from './state.ts';
import type { Timers } from './timers.ts';

/** What a look at a server's health has shown. */
export interface HealthEvents {
  answered(): void;
  missed(): void;
  lost(failure: ConnectionFailure): void;
}

/** Judges a server by traffic, and asks it only while somebody uses it. */
export class Health {
  readonly #client: Client;
  readonly #limits: ConnectionLimits;
  readonly #events: HealthEvents;
  #used = false;
  #open = 0;
  #running: Promise<void> | undefined;

  constructor(client: Client, limits: ConnectionLimits, events: HealthEvents) {
    this.#client = client;
    this.#limits = limits;
    this.#events = events;
  }

  /** Somebody calls the server; @returns what to do when the call is over */
  callBegins(): () => void {
    this.#used = true;
    this.#open += 1;
    return () => {
      this.#open -= 1;
    };
  }

  /**
   * Something came from the server beside answers. One that is busy may leave pings aside and still tell
   * how its work goes on (K28).
   */
  heard(): void {
    this.#events.answered();
  }

  /** Pings as often as the limits say, for as long as the timers are not cancelled. */
  watch(timers: Timers): void {
    const { pingEveryMs } = this.#limits;
    if (pingEveryMs <= 0) return;
    timers.arm('ping', pingEveryMs, () => {
      if (this.#used || this.#open > 0) void this.check();
      this.#used = false;
      this.watch(timers);
    });
  }

  /** Asks the server for a sign of life; calls at the same time share one question. */
  check(): Promise<void> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Any answer is a sign of life, even a refusal. Never rejects, and tells nobody. */
  async isAlive(timeoutMs: number): Promise<boolean> {
    try {
      await this.#question(timeoutMs);
      return true;
    } catch (error) {
      const failure = failureOf(error);
      return !isLineFailure(failure) && failure.step !== 'timeout';
    }
  }

  /** Modern revisions have no ping; what every server must answer does as well. */
  async #question(timeout: number): Promise<void> {
    if (this.#client.getProtocolEra() === 'modern') await this.#client.discover({ timeout });
    else await this.#client.ping({ timeout });
  }

  async #ask(): Promise<void> {
    try {
      await this.#question(this.#limits.pingTimeoutMs);
      this.#events.answered();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.retryable && isLineFailure(failure)) this.#events.lost(failure);
      else if (failure.step === 'timeout') this.#events.missed();
      // Any other answer, even a refusal, shows that the server is there.
      else this.#events.answered();
    }
  }
}
