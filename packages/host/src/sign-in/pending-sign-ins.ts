import type { SignInMode } from '@portico/api';
import type { Clock } from '../ports/clock.ts';
import type { AttemptLog } from './sign-in-log.ts';

/** How long the browser may take to come back: 10 minutes, in milliseconds. */
const SIGN_IN_LIFETIME_MS = 600_000;

/** The browser that a sign-in began in. */
export interface SignInBrowser {
  /** Names its session without telling the token of it. */
  readonly session: string;
  /** Origin of the console in that browser. */
  readonly origin: string;
  readonly mode: SignInMode;
  /** Path of the screen that it began on, where the page itself goes away and comes back. */
  readonly back?: string;
}

/** A sign-in whose person is at the other site. */
export interface PendingSignIn extends SignInBrowser {
  readonly connectorId: string;
  readonly log: AttemptLog;
}

/** Sign-ins that wait for their callback, by `state`. */
export interface PendingSignIns {
  add(state: string, pending: PendingSignIn): void;
  /** Where a callback has to go on: the origin that its sign-in began at. */
  originOf(state: string): string | undefined;
  /** Takes it out: a state counts once (K52), and only in the browser that began. */
  take(state: string, session: string): PendingSignIn | undefined;
  /** Logs of those that a browser waits for. */
  inBrowser(session: string): readonly AttemptLog[];
  /** Ends those of an account. */
  cancel(connectorId: string): void;
  close(): void;
}

export function createPendingSignIns(clock: Clock): PendingSignIns {
  const waiting = new Map<string, PendingSignIn & { readonly stop: () => void }>();
  const drop = (state: string): void => {
    waiting.get(state)?.stop();
    waiting.delete(state);
  };
  return {
    add(state, pending) {
      const timer = clock.setTimer(SIGN_IN_LIFETIME_MS, () => {
        drop(state);
        pending.log.end({
          status: 'failed',
          cause: 'expired',
          message: 'Nobody came back from the sign-in within ten minutes.',
        });
      });
      timer.unref?.();
      waiting.set(state, { ...pending, stop: () => timer.cancel() });
    },
    originOf: (state) => waiting.get(state)?.origin,
    take(state, session) {
      const found = waiting.get(state);
      if (found === undefined || found.session !== session) return undefined;
      drop(state);
      return found;
    },
    inBrowser: (session) =>
      [...waiting.values()].flatMap((each) => (each.session === session ? [each.log] : [])),
    cancel(connectorId) {
      for (const [state, pending] of waiting) {
        if (pending.connectorId !== connectorId) continue;
        drop(state);
        pending.log.end({ status: 'cancelled', cause: 'cancelled' });
      }
    },
    close() {
      for (const state of waiting.keys()) drop(state);
    },
  };
}
