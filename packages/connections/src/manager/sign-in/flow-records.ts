import type { OAuthClientProvider, TokenStore } from '@portico/oauth';
import type { Clock } from '@portico/rpc';
import type { SignInFailure } from './sign-in-parts.ts';

/** How long somebody who was sent to sign in may come back, milliseconds. */
export const FLOW_LIFETIME_MS = 600_000;
/** How long a page stays where it is after it went to sign in unasked, milliseconds. */
const ALONE_MS = 60_000;
/** Stands for the page that was left to sign in, which has no id of its own when it is back. */
export const LEFT_PAGE = 'page';

/** What has to be known when somebody comes back, beside the attempt itself. */
export interface FlowRecord {
  /** What it is called between tabs; says nothing to servers. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly oauthProxyUrl?: string;
  /** The page that was left for the sign-in. */
  readonly returnTo?: string;
}

/** How a flow ended. */
export interface Outcome {
  readonly failure?: SignInFailure;
}

/** The records of one account that belong to flows. */
export interface FlowRecords {
  save(state: string, record: FlowRecord): Promise<void>;
  /** Undefined when there is none, or its time is over; it stays. */
  find(state: string): Promise<FlowRecord | undefined>;
  /** Removes all that belongs to a flow. */
  drop(state: string, provider: OAuthClientProvider): Promise<void>;
  saveOutcome(id: string, outcome: Outcome): Promise<void>;
  /** Takes how a flow ended out; undefined while nobody came back. */
  takeOutcome(id: string): Promise<Outcome | undefined>;
  /** Removes what has been there for too long. */
  sweep(): Promise<void>;
  /** Whether the page may be left unasked, and notes that it is. */
  mayLeaveAlone(): Promise<boolean>;
}

export const flowName = (state: string): string => `flow ${state}`;
const outcomeName = (id: string): string => `outcome ${id}`;
const ALONE = 'alone';

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}

export function createFlowRecords(store: TokenStore, clock: Clock): FlowRecords {
  const isOver = (atMs: unknown): boolean => {
    const ageMs = typeof atMs === 'number' ? clock.now() - atMs : Number.NaN;
    // What another tab has just written may be from a moment ahead, and clocks are set back a little.
    return !(Math.abs(ageMs) < FLOW_LIFETIME_MS);
  };
  return {
    save: (state, record) => store.set(flowName(state), record),
    async find(state) {
      const value = await store.get(flowName(state));
      if (typeof member(value, 'id') !== 'string' || isOver(member(value, 'startedAtMs'))) return undefined;
      return value as FlowRecord;
    },
    async drop(state, provider) {
      await store.delete(flowName(state));
      try {
        await provider.resumeAttempt?.(state);
      } catch {
        // There is none when somebody came back already.
      }
    },
    saveOutcome: (id, outcome) => store.set(outcomeName(id), { ...outcome, atMs: clock.now() }),
    async takeOutcome(id) {
      const value = await store.get(outcomeName(id));
      if (value === undefined) return undefined;
      await store.delete(outcomeName(id));
      return isOver(member(value, 'atMs')) ? undefined : (value as Outcome);
    },
    async sweep() {
      for (const name of await store.names()) {
        const time = name.startsWith('flow ') ? 'startedAtMs' : 'atMs';
        if (!/^(?:flow|outcome) /.test(name)) continue;
        if (isOver(member(await store.get(name), time))) await store.delete(name);
      }
    },
    async mayLeaveAlone() {
      const atMs = member(await store.get(ALONE), 'atMs');
      const nowMs = clock.now();
      if (typeof atMs === 'number' && nowMs - atMs >= 0 && nowMs - atMs < ALONE_MS) return false;
      await store.set(ALONE, { atMs: nowMs });
      return true;
    },
  };
}
