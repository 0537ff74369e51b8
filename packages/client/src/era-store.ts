import type { DiscoverResult } from '@portico/spec';

/** What is known of a server's era: its own description, or that it needs the handshake. */
export type PriorDiscovery =
  | { readonly kind: 'modern'; readonly discover: DiscoverResult }
  | { readonly kind: 'legacy' };

/** A verdict with the moment it was found, epoch milliseconds. Survives JSON. */
export type EraVerdict = PriorDiscovery & { readonly storedAtMs: number };

/**
 * Remembers which era servers speak, so that another client need not ask. Keys name a server: its
 * origin, or its command with arguments and a hash of the environment. Descriptions may depend on who
 * asks, so a store belongs to one authorization context. May be asynchronous and may fail: the client
 * then reports it and asks the server.
 */
export interface EraStore {
  get(key: string): EraVerdict | undefined | Promise<EraVerdict | undefined>;
  set(key: string, verdict: EraVerdict): void | Promise<void>;
  delete(key: string): void | Promise<void>;
}

const MAX_SERVERS = 1_000;

/** Keeps verdicts in memory, the 1,000 newest. */
export class InMemoryEraStore implements EraStore {
  readonly #verdicts = new Map<string, EraVerdict>();

  get(key: string): EraVerdict | undefined {
    return this.#verdicts.get(key);
  }

  set(key: string, verdict: EraVerdict): void {
    this.#verdicts.delete(key);
    this.#verdicts.set(key, verdict);
    if (this.#verdicts.size <= MAX_SERVERS) return;
    for (const oldest of this.#verdicts.keys()) {
      this.#verdicts.delete(oldest);
      break;
    }
  }

  delete(key: string): void {
    this.#verdicts.delete(key);
  }
}
