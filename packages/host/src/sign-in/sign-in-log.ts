import { MAX_SIGN_IN_STEPS } from '@portico/api';
import type { SignInAttempt, SignInCause, SignInStep } from '@portico/api';
import type { AuthorizationEvent } from '@portico/oauth';
import { isHostError } from '../errors.ts';
import type { Log } from '../host-options.ts';
import type { Clock } from '../ports/clock.ts';
import type { SignInStore } from '../ports/stores.ts';
import { newId } from '../random-ids.ts';

/** Attempts that are kept of one account. */
const KEPT_ATTEMPTS = 20;
/** How long they are kept: 30 days, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Longest text of a detail that is kept, in UTF-16 units. */
const MAX_TEXT = 500;
/** Most details of one step, and most texts of one detail. */
const MAX_DETAILS = 20;

/** How an attempt ended. */
export interface SignInEnd {
  readonly status: 'done' | 'failed' | 'cancelled';
  readonly cause?: SignInCause;
  /** In English, without secrets. */
  readonly message?: string;
}

/** The log of one attempt while it goes on. */
export interface AttemptLog {
  readonly id: string;
  current(): SignInAttempt;
  add(event: AuthorizationEvent): void;
  /** The person is sent to a site. */
  waiting(opens: string): void;
  /** Only the first end counts. */
  end(end: SignInEnd): void;
  /** Resolves when everything so far is stored. */
  stored(): Promise<void>;
}

/** Every attempt to sign in, live and kept (K42). */
export interface SignInLog {
  begin(connectorId: string): AttemptLog;
  /** Newest first; those that a stop of the host cut off count as expired. */
  list(connectorId: string): Promise<readonly SignInAttempt[]>;
}

export interface SignInLogOptions {
  readonly store: SignInStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of every change of an attempt. */
  onChange(attempt: SignInAttempt): void;
}

export function createSignInLog(options: SignInLogOptions): SignInLog {
  const { store, clock } = options;
  /** What is under way in this process. */
  const open = new Map<string, AttemptLog>();
  return {
    begin(connectorId) {
      const log = openAttempt(options, connectorId, () => open.delete(log.id));
      open.set(log.id, log);
      return log;
    },
    async list(connectorId) {
      const attempts = await store.list(connectorId);
      return attempts.map((attempt) => open.get(attempt.id)?.current() ?? asEnded(attempt, clock.now()));
    },
  };
}

function asEnded(attempt: SignInAttempt, nowMs: number): SignInAttempt {
  if (attempt.status !== 'running' && attempt.status !== 'waiting') return attempt;
  return { ...attempt, status: 'failed', cause: 'expired', endedAtMs: attempt.endedAtMs ?? nowMs };
}

function openAttempt(options: SignInLogOptions, connectorId: string, ended: () => void): AttemptLog {
  const { store, clock, log } = options;
  let attempt: SignInAttempt = {
    id: newId('sign-in'),
    connectorId,
    startedAtMs: clock.now(),
    status: 'running',
    steps: [],
  };
  let writes: Promise<unknown> = store.prune(connectorId, {
    beforeMs: attempt.startedAtMs - KEPT_MS,
    keep: KEPT_ATTEMPTS - 1,
  });
  const save = (): void => {
    const latest = attempt;
    options.onChange(latest);
    writes = writes
      // One write carries every change that came before it.
      .then(() => (latest === attempt ? store.put(latest) : undefined))
      .catch((error: unknown) => {
        if (!isHostError(error, 'missing_parent'))
          log.error('a step of a sign-in was not stored', { error: String(error) });
      });
  };
  const change = (part: Partial<SignInAttempt>): void => {
    if (attempt.endedAtMs !== undefined) return;
    attempt = { ...attempt, ...part };
    save();
  };
  save();
  return {
    id: attempt.id,
    current: () => attempt,
    add(event) {
      if (attempt.steps.length < MAX_SIGN_IN_STEPS)
        change({ steps: [...attempt.steps, stepOf(event, clock.now())] });
    },
    waiting: (opens) => change({ status: 'waiting', opens }),
    end(end) {
      change({ ...end, endedAtMs: clock.now() });
      ended();
    },
    stored: async () => {
      await writes;
    },
  };
}

/** A step as it is kept: texts of servers are cut, and control characters are gone. */
function stepOf({ step, outcome, request, status, detail }: AuthorizationEvent, atMs: number): SignInStep {
  return {
    atMs,
    step,
    outcome,
    ...(request === undefined ? {} : { method: request.method, url: plain(request.url) }),
    ...(status === undefined ? {} : { status }),
    ...(detail === undefined ? {} : { detail: detailOf(detail) }),
  };
}

function detailOf(detail: NonNullable<AuthorizationEvent['detail']>): NonNullable<SignInStep['detail']> {
  const entries = Object.entries(detail).slice(0, MAX_DETAILS);
  return Object.fromEntries(entries.map(([name, value]) => [plain(name), valueOf(value)]));
}

function valueOf(value: string | number | boolean | readonly string[]): string | number | boolean | string[] {
  if (typeof value === 'string') return plain(value);
  return typeof value === 'object' ? value.slice(0, MAX_DETAILS).map(plain) : value;
}

function plain(text: string): string {
  return text.slice(0, MAX_TEXT).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ');
}
