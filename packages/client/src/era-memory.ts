import { isProtocolError } from '@portico/rpc';
import { ProtocolErrorCode } from '@portico/spec';
import type { SpokenVersions } from './codecs.ts';
import type { EraStore, EraVerdict, PriorDiscovery } from './era-store.ts';
import { planKnown } from './negotiation.ts';
import type { OpeningPlan } from './negotiation.ts';
import type { OpenedConnection } from './opening.ts';
import { judgeProbe } from './probe.ts';
import { askStore } from './user-store.ts';
import type { StorePort } from './user-store.ts';
import type { Wire } from './wire.ts';

/** A server may be upgraded any day, and a handshake would go on to work: this long it is not asked. */
const LEGACY_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** Where eras are remembered, and for whom. */
export interface EraMemoryPort extends StorePort {
  readonly store: EraStore;
  readonly versions: SpokenVersions;
}

/**
 * What is remembered of one server while a connection to it opens and begins. A remembered modern
 * server is believed until its first answer; when that shows otherwise it is forgotten, and the next
 * connection asks. A connection itself never changes its era.
 */
export class EraMemory {
  readonly #key: string;
  readonly #port: EraMemoryPort;
  #plan: OpeningPlan | undefined;
  /** The connection whose first answer has yet to confirm what was remembered. */
  #unconfirmed: Wire | undefined;

  constructor(key: string, port: EraMemoryPort) {
    this.#key = key;
    this.#port = port;
  }

  /** How the server is opened by what is remembered; undefined when that is nothing of use. */
  async plan(): Promise<OpeningPlan | undefined> {
    const known = await this.#recall();
    if (known === undefined) return undefined;
    try {
      this.#plan = planKnown(known, this.#port.versions);
    } catch {
      // What another client remembered may be of no use to this one.
    }
    return this.#plan;
  }

  /** Remembers what an opening found out. */
  async opened({ wire, description: { discover } }: OpenedConnection): Promise<void> {
    if (this.#plan?.type === 'known') this.#unconfirmed = wire;
    if (this.#plan !== undefined) return;
    const storedAtMs = this.#port.clock.now();
    const verdict: EraVerdict =
      discover === undefined ? { kind: 'legacy', storedAtMs } : { kind: 'modern', discover, storedAtMs };
    await this.#ask((store) => store.set(this.#key, verdict));
  }

  /** The server could not be reached: by what was remembered, which is forgotten then. */
  async failed(): Promise<void> {
    if (this.#plan !== undefined) await this.#forget();
  }

  /** The first exchange shows whether a remembered era still holds. */
  settled(failure: { readonly error: unknown } | undefined): void {
    const wire = this.#unconfirmed;
    if (wire === undefined || (failure !== undefined && !this.#disproves(failure.error, wire))) return;
    this.#unconfirmed = undefined;
    if (failure !== undefined) void this.#forget();
  }

  #disproves(error: unknown, { codec, isPerRequest: overHttp }: Wire): boolean {
    if (isProtocolError(error) && error.code === ProtocolErrorCode.UnsupportedProtocolVersion) return true;
    const { versions } = this.#port;
    const setting = { codec, overHttp, legacyAllowed: true, versions };
    return judgeProbe({ type: 'failed', error }, setting).type === 'legacy';
  }

  async #recall(): Promise<PriorDiscovery | undefined> {
    const verdict = await this.#ask((store) => store.get(this.#key));
    if (verdict?.kind === 'modern') return verdict;
    if (verdict?.kind !== 'legacy') return undefined;
    const ageMs = this.#port.clock.now() - verdict.storedAtMs;
    if (ageMs >= 0 && ageMs < LEGACY_LIFETIME_MS) return verdict;
    await this.#forget();
    return undefined;
  }

  async #forget(): Promise<void> {
    await this.#ask((store) => store.delete(this.#key));
  }

  #ask<T>(work: (store: EraStore) => T | Promise<T>): Promise<T | undefined> {
    return askStore(this.#port, () => work(this.#port.store));
  }
}
