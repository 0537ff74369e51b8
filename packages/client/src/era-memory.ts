import type { Clock } from '@portico/rpc';
import type { EraStore, PriorDiscovery, EraVerdict } from './era-store.ts';

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
