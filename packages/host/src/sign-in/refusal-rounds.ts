import type { Clock } from '../ports/clock.ts';

/** Sign-ins for one refusal, after which it is final (K47). */
export const MAX_ROUNDS = 2;
/** Refusals that lie further apart have nothing to do with each other: 10 minutes, in milliseconds. */
const SERIES_MS = 600_000;
/** Different refusals of one account that are remembered. */
const MAX_NEEDS = 32;

interface Rounds {
  readonly grants: number;
  readonly atMs: number;
  /** Nobody has signed in since. */
  readonly waits: boolean;
  readonly isOver: boolean;
}

/** Whether another sign-in may help, and if none does, whether that is news. */
export type RefusalVerdict = 'helps' | 'over' | 'long over';

/** Counts what sign-ins lead to, so that a server which is never content does not ask for ever. */
export interface RefusalRounds {
  /**
   * A server refused something.
   * @param need what it wants; the same text for the same refusal
   */
  refused(connectorId: string, need: string): RefusalVerdict;
  /** There are new tokens of a sign-in. */
  granted(connectorId: string): void;
  forget(connectorId: string): void;
}

export function createRefusalRounds(clock: Pick<Clock, 'now'>): RefusalRounds {
  const accounts = new Map<string, Map<string, Rounds>>();
  return {
    refused(connectorId, need) {
      const needs = accounts.get(connectorId) ?? new Map<string, Rounds>();
      accounts.set(connectorId, needs);
      const known = needs.get(need);
      const goesOn = known !== undefined && clock.now() - known.atMs <= SERIES_MS;
      const grants = goesOn ? known.grants : 0;
      // Put at the end, so that the one that is let go is the oldest.
      needs.delete(need);
      const isOver = grants >= MAX_ROUNDS;
      needs.set(need, { grants, atMs: clock.now(), waits: true, isOver });
      const [oldest] = needs.keys();
      if (needs.size > MAX_NEEDS && oldest !== undefined) needs.delete(oldest);
      if (!isOver) return 'helps';
      return goesOn && known.isOver ? 'long over' : 'over';
    },
    granted(connectorId) {
      const needs = accounts.get(connectorId);
      for (const [need, rounds] of needs ?? []) {
        if (!rounds.waits) continue;
        needs?.set(need, { ...rounds, grants: rounds.grants + 1, atMs: clock.now(), waits: false });
      }
    },
    forget: (connectorId) => void accounts.delete(connectorId),
  };
}
