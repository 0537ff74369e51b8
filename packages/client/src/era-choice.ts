import type { Transport } from '@portico/rpc';
import type { SpokenVersions } from './codecs.ts';
import type { EraMemory } from './era-memory.ts';
import type { EraStore, PriorDiscovery } from './era-store.ts';
import { planKnown, planOpening, planSession } from './negotiation.ts';
import type { OpeningPlan, VersionNegotiationMode } from './negotiation.ts';
import type { OpenedConnection } from './opening.ts';
import type { StorePort } from './user-store.ts';

/** What an opening is decided on. */
interface Choice {
  readonly transport: Transport;
  readonly mode: VersionNegotiationMode;
  readonly prior: PriorDiscovery | null | undefined;
}

/** The name under which a server is remembered, where its transport knows one. */
export function serverKeyOf(transport: Transport): string | undefined {
  const key: unknown = 'serverKey' in transport ? transport.serverKey : undefined;
  return typeof key === 'string' ? key : undefined;
}

/** Decides how connections are opened, by what is told, else remembered, else asked. */
export class EraChoice {
  readonly #versions: SpokenVersions;
  readonly #store: EraStore | undefined;
  readonly #port: StorePort;
  /** Of the connection at hand, when there is anything to remember. */
  #memory: EraMemory | undefined;

  constructor(versions: SpokenVersions, store: EraStore | undefined, port: StorePort) {
    this.#versions = versions;
    this.#store = store;
    this.#port = port;
  }

  /** @throws SdkError `ERA_NEGOTIATION_FAILED` */
  async decide({ transport, mode, prior }: Choice): Promise<OpeningPlan> {
    this.#memory = undefined;
    const versions = this.#versions;
    if (prior !== undefined && prior !== null) return planKnown(prior, versions);
    if (transport.sessionId !== undefined && (mode === 'legacy' || mode === 'auto')) {
      const version = 'protocolVersion' in transport ? transport.protocolVersion : undefined;
      return planSession(typeof version === 'string' ? version : undefined, versions);
    }
    const asking = planOpening(mode, versions);
    const key = serverKeyOf(transport);
    const store = this.#store;
    // Nothing is remembered without a store, which most clients do not have.
    if (store === undefined || key === undefined || mode !== 'auto' || asking.type !== 'probe') return asking;
    const { EraMemory: Memory } = await import('./era-memory.ts');
    this.#memory = new Memory(key, { ...this.#port, store, versions });
    return (await this.#memory.plan()) ?? asking;
  }

  async opened(opened: OpenedConnection): Promise<void> {
    await this.#memory?.opened(opened);
  }

  async failed(): Promise<void> {
    await this.#memory?.failed();
  }

  /** Told how each exchange ended. */
  settled(failure: { readonly error: unknown } | undefined): void {
    this.#memory?.settled(failure);
  }
}
