import { LOGGING_LEVELS } from '@portico/spec';
import type { LoggingLevel } from '@portico/spec';
import type { StandingPort } from './standing-port.ts';

/** How much a legacy server is to log: as much as whoever wants most. Modern servers are told with each request. */
export class LogLevel {
  readonly #port: StandingPort;
  readonly #wanted = new Map<symbol, LoggingLevel>();
  #told: LoggingLevel | undefined;

  constructor(port: StandingPort) {
    this.#port = port;
  }

  /** Settles when the server knows; the answer ends it. @throws what the client throws */
  async want(level: LoggingLevel): Promise<() => void> {
    const key = Symbol(level);
    this.#wanted.set(key, level);
    try {
      await this.#tell();
    } catch (error) {
      this.#wanted.delete(key);
      throw error;
    }
    return () => {
      if (this.#wanted.delete(key)) this.#tellQuietly();
    };
  }

  /** The server knows of nothing. */
  again(): void {
    this.#told = undefined;
    this.#tellQuietly();
  }

  #tellQuietly(): void {
    this.#tell().catch((error: unknown) => this.#port.report(error));
  }

  async #tell(): Promise<void> {
    const client = this.#port.client();
    const wanted = [...this.#wanted.values()];
    const most = LOGGING_LEVELS.find((level) => wanted.includes(level));
    if (most === undefined || most === this.#told) return;
    if (client === undefined || client.getProtocolEra() === 'modern') return;
    const before = this.#told;
    this.#told = most;
    try {
      await client.setLoggingLevel(most);
    } catch (error) {
      this.#told = before;
      throw error;
    }
  }
}
