import type { Clock } from '@portico/rpc';
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

/** A server may be upgraded any day, and a handshake would go on to work: this long it is not asked. */
const LEGACY_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** A store as one client uses it: with expiry, and without its failures. */
export class EraMemory {
  readonly #store: EraStore;
  readonly #clock: Clock;
  readonly #report: (error: Error) => void;

  constructor(store: EraStore, clock: Clock, report: (error: Error) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#report = report;
  }

  async recall(key: string): Promise<PriorDiscovery | undefined> {
    const verdict = await this.#guarded(() => this.#store.get(key));
    if (verdict?.kind === 'modern') return verdict;
    if (verdict?.kind !== 'legacy') return undefined;
    const ageMs = this.#clock.now() - verdict.storedAtMs;
    if (ageMs >= 0 && ageMs < LEGACY_LIFETIME_MS) return verdict;
    await this.forget(key);
    return undefined;
  }

  async remember(key: string, found: PriorDiscovery): Promise<void> {
    const storedAtMs = this.#clock.now();
    const verdict: EraVerdict =
      found.kind === 'modern'
        ? { kind: 'modern', discover: found.discover, storedAtMs }
        : { kind: 'legacy', storedAtMs };
    await this.#guarded(() => this.#store.set(key, verdict));
  }

  async forget(key: string): Promise<void> {
    await this.#guarded(() => this.#store.delete(key));
  }

  async #guarded<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#report(error instanceof Error ? error : new TypeError('the era store failed', { cause: error }));
      return undefined;
    }
  }
}
