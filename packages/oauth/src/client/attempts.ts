import type { Clock } from '@portico/rpc';
import { OAuthClientFlowError } from '../flow-errors.ts';
import type { AuthorizationAttempt } from './provider.ts';
import type { TokenStore } from './token-store.ts';

/** Attempts that are kept at once; the oldest give way. */
const MAX_ATTEMPTS = 10;
const PREFIX = 'attempt ';

interface KeptAttempt {
  readonly attempt: AuthorizationAttempt;
  readonly startedAtMs: number;
}

/** Attempts to sign in that wait for their callback, each a record of its own. */
export interface Attempts {
  save(attempt: AuthorizationAttempt): Promise<void>;
  /**
   * Takes an attempt out: a callback counts once.
   * @throws OAuthClientFlowError `state_mismatch` when there is none, or its time is over
   */
  take(state: string | undefined): Promise<AuthorizationAttempt>;
  clear(): Promise<void>;
}

/** @param lifetimeMs how long a callback is waited for, milliseconds */
export function createAttempts(store: TokenStore, clock: Clock, lifetimeMs: number): Attempts {
  const kept = async (): Promise<readonly (readonly [string, KeptAttempt])[]> => {
    const names = (await store.names()).filter((name) => name.startsWith(PREFIX));
    const found = await Promise.all(
      names.map(async (name) => [name, asAttempt(await store.get(name))] as const),
    );
    return found.filter((pair): pair is readonly [string, KeptAttempt] => pair[1] !== undefined);
  };
  const isOver = ({ startedAtMs }: KeptAttempt): boolean => clock.now() - startedAtMs >= lifetimeMs;
  const makeRoom = async (): Promise<void> => {
    const all = await kept();
    const newest = all.toSorted(([, a], [, b]) => b.startedAtMs - a.startedAtMs);
    const gone = newest.filter(([, each], index) => isOver(each) || index >= MAX_ATTEMPTS - 1);
    await Promise.all(gone.map(([name]) => store.delete(name)));
  };
  return {
    async save(attempt) {
      await makeRoom();
      const record: KeptAttempt = { attempt, startedAtMs: clock.now() };
      await store.set(PREFIX + (attempt.state ?? ''), record);
    },
    async take(state) {
      const name = PREFIX + (state ?? '');
      const found = asAttempt(await store.get(name));
      if (found !== undefined) await store.delete(name);
      if (found === undefined || isOver(found)) {
        throw new OAuthClientFlowError('state_mismatch', { data: undefined, step: 'callback' });
      }
      return found.attempt;
    },
    async clear() {
      const names = (await store.names()).filter((name) => name.startsWith(PREFIX));
      await Promise.all(names.map((name) => store.delete(name)));
    },
  };
}

/** What a store gives back may be anything, such as what another version wrote. */
function asAttempt(value: unknown): KeptAttempt | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { attempt, startedAtMs } = value as Partial<KeptAttempt>;
  const isWhole =
    typeof attempt?.codeVerifier === 'string' &&
    typeof attempt.issuer === 'string' &&
    typeof attempt.client?.client_id === 'string';
  return isWhole && typeof startedAtMs === 'number' ? { attempt, startedAtMs } : undefined;
}
