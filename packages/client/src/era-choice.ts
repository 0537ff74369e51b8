import type { Clock, Transport } from '@portico/rpc';
import { isProtocolError } from '@portico/rpc';
import { ProtocolErrorCode } from '@portico/spec';
import type { SpokenVersions } from './codecs.ts';
import type { EraMemory } from './era-memory.ts';
import type { EraStore, PriorDiscovery } from './era-store.ts';
import { planKnown, planOpening, planSession } from './negotiation.ts';
import type { OpeningPlan, VersionNegotiationMode } from './negotiation.ts';
import type { OpenedConnection } from './opening.ts';
import type { judgeProbe } from './probe.ts';
import type { Wire } from './wire.ts';

/** What an opening is decided on. */
interface Choice {
  readonly transport: Transport;
  readonly mode: VersionNegotiationMode;
  readonly prior: PriorDiscovery | undefined;
}

/** A plan, and whether it rests on what was remembered. */
interface Decision {
  readonly plan: OpeningPlan;
  readonly remembered: boolean;
}

/** A server whose remembered era the first answer has yet to confirm, and what judges that answer. */
interface Unconfirmed {
  readonly key: string;
  readonly wire: Wire;
  readonly judge: typeof judgeProbe;
}

interface MemoryPort {
  readonly clock: Clock;
  readonly report: (error: Error) => void;
}

/** The name under which a server is remembered, where its transport knows one. */
export function serverKeyOf(transport: Transport): string | undefined {
  const key: unknown = 'serverKey' in transport ? transport.serverKey : undefined;
  return typeof key === 'string' ? key : undefined;
}

/**
 * Decides how connections are opened, and remembers what came of it. A remembered modern server is
 * believed until its first answer; when that shows otherwise it is forgotten, and the next connection
 * asks. A connection itself never changes its era.
 */
export class EraChoice {
  readonly #versions: SpokenVersions;
  readonly #store: EraStore | undefined;
  readonly #port: MemoryPort;
  #memory: EraMemory | undefined;
  #unconfirmed: Unconfirmed | undefined;

  constructor(versions: SpokenVersions, store: EraStore | undefined, port: MemoryPort) {
    this.#versions = versions;
    this.#store = store;
    this.#port = port;
  }

  /** @throws SdkError `ERA_NEGOTIATION_FAILED` */
  async decide({ transport, mode, prior }: Choice): Promise<Decision> {
    const told = (plan: OpeningPlan): Decision => ({ plan, remembered: false });
    if (prior !== undefined) return told(planKnown(prior, this.#versions));
    if (transport.sessionId !== undefined && (mode === 'legacy' || mode === 'auto')) {
      const version = 'protocolVersion' in transport ? transport.protocolVersion : undefined;
      return told(planSession(typeof version === 'string' ? version : undefined, this.#versions));
    }
    const asking = planOpening(mode, this.#versions);
    const key = mode === 'auto' ? serverKeyOf(transport) : undefined;
    if (key === undefined || asking.type !== 'probe') return told(asking);
    await this.#loadMemory();
    const known = await this.#memory?.recall(key);
    const plan = known === undefined ? undefined : this.#planRemembered(known);
    return plan === undefined ? told(asking) : { plan, remembered: true };
  }

  /** Nothing is remembered without a store, which most clients do not have. */
  async #loadMemory(): Promise<void> {
    if (this.#store === undefined) return;
    const { EraMemory: Memory } = await import('./era-memory.ts');
    this.#memory ??= new Memory(this.#store, this.#port.clock, this.#port.report);
  }

  /** Remembers what an opening found out. */
  async opened(opened: OpenedConnection, choice: Choice, decision: Decision): Promise<void> {
    const key = serverKeyOf(choice.transport);
    if (key === undefined || this.#memory === undefined || choice.mode !== 'auto') return;
    if (decision.remembered) {
      if (decision.plan.type !== 'known') return;
      const { judgeProbe: judge } = await import('./probe.ts');
      this.#unconfirmed = { key, wire: opened.wire, judge };
      return;
    }
    if (decision.plan.type !== 'probe') return;
    const { discover } = opened.description;
    await this.#memory.remember(
      key,
      discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover },
    );
  }

  /** Forgets what was remembered of a server that could not be reached by it. */
  async failed(choice: Choice, decision: Decision): Promise<void> {
    const key = serverKeyOf(choice.transport);
    if (decision.remembered && key !== undefined) await this.#memory?.forget(key);
  }

  /** The first exchange shows whether a remembered era still holds. */
  settled(failure: { readonly error: unknown } | undefined): void {
    const doubted = this.#unconfirmed;
    if (doubted === undefined) return;
    if (failure !== undefined && !this.#disproves(failure.error, doubted)) return;
    this.#unconfirmed = undefined;
    if (failure !== undefined) void this.#memory?.forget(doubted.key);
  }

  #disproves(error: unknown, { wire, judge }: Unconfirmed): boolean {
    if (isProtocolError(error) && error.code === ProtocolErrorCode.UnsupportedProtocolVersion) return true;
    const verdict = judge(
      { type: 'failed', error },
      { codec: wire.codec, overHttp: wire.isPerRequest, legacyAllowed: true, versions: this.#versions },
    );
    return verdict.type === 'legacy';
  }

  /** What another client remembered may be of no use to this one. */
  #planRemembered(known: PriorDiscovery): OpeningPlan | undefined {
    try {
      return planKnown(known, this.#versions);
    } catch {
      return undefined;
    }
  }
}
