import type { Client } from '@portico/client';

/** What lasting wishes need of their connection. */
export interface StandingPort {
  readonly id: string;
  /** The client, while the connection can be used. */
  client(): Client | undefined;
  /** Epoch milliseconds. */
  now(): number;
  /** How long a stream lasts that counts as a good one, milliseconds. */
  steadyMs(): number;
  /** Calls back after the wait that follows so many failures in a row, 1 for the first. */
  later(failures: number, run: () => void): void;
  /** Takes a place for a request that stays open; nothing when there is none. */
  hold(): Promise<(() => void) | undefined>;
  /** The server may have told of this resource while nobody could hear it. */
  missed(uri: string): void;
  report(error: unknown): void;
}
