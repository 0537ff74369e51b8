import { CONNECTOR_CAUSES, CONNECTOR_PROBLEMS } from '@portico/api';
import type {
  Connector,
  ConnectorAction,
  ConnectorCause,
  ConnectorProblem,
  ConnectorStatus,
  ProblemTexts,
} from '@portico/api';
import type { ConnectionState } from '@portico/connections';
import type { ConnectorRecord } from '../ports/stores.ts';
import { hasOwnAuthorization } from './own-authorization.ts';
import { describeProblem } from './problems.ts';

/** What decides how a connector is. */
export interface ConditionFacts {
  readonly record: ConnectorRecord;
  readonly state: ConnectionState | undefined;
  readonly auth: Connector['auth'];
  /** Its command waits for the person. */
  readonly waitsForApproval: boolean;
  /** Found before any connection was tried. */
  readonly startError: unknown;
}

/** How a connector is, why, and the one thing to do about it. */
export interface Condition {
  readonly status: ConnectorStatus;
  readonly cause: Connector['cause'];
  readonly action: ConnectorAction;
  readonly problem: ConnectorProblem | undefined;
}

/** Most lines of a child's error output that are shown with a problem, and most characters of one. */
const MAX_LINES = 40;
const MAX_LINE = 500;

/** One of the eight states with cause and action (K27). */
export function conditionOf(facts: ConditionFacts): Condition {
  const status = statusOf(facts);
  const problem = problemOf(facts, status);
  const action = actionOf(facts, { status, problem });
  if (problem !== undefined) {
    return { status, cause: { kind: 'problem', message: problem.message }, action, problem };
  }
  const kind = causeOf(facts, status);
  return { status, cause: { kind, message: CONNECTOR_CAUSES[kind] }, action, problem };
}

/** How a connector is while no host runs. */
export function restingCondition(record: ConnectorRecord): Condition {
  return conditionOf({
    record,
    state: undefined,
    auth: undefined,
    waitsForApproval: false,
    startError: undefined,
  });
}

/** Whether the connector can be used, well or not so well. */
export function isLive(status: ConnectorStatus | undefined): boolean {
  return status === 'ready' || status === 'degraded';
}

function statusOf({ record, state, auth, waitsForApproval, startError }: ConditionFacts): ConnectorStatus {
  if (!record.enabled) return 'disabled';
  if (waitsForApproval) return 'stopped';
  if (startError !== undefined) return 'failed';
  const status = state?.status ?? 'idle';
  switch (status) {
    case 'idle':
      return 'stopped';
    case 'needs_sign_in':
    case 'failed':
      return isSigningIn(auth) ? 'signing_in' : status;
    case 'ready':
      // What was refused for want of a sign-in is missing, whatever else works.
      return refusedPart(auth) === undefined ? status : 'degraded';
    case 'connecting':
    case 'degraded':
    case 'stopped':
      return status;
  }
}

function isSigningIn(auth: Connector['auth']): boolean {
  return auth?.attempt?.status === 'running' || auth?.attempt?.status === 'waiting';
}

/** What a server refused that otherwise works, as the failure that says so. */
function refusedPart(auth: Connector['auth']): object | undefined {
  if (auth === undefined) return undefined;
  const { asks, signedIn, attempt } = auth;
  if (asks !== undefined) {
    return signedIn
      ? { code: 'insufficient_scope', requiredScope: asks.scopes.join(' ') }
      : { code: 'needs_sign_in' };
  }
  const isFinal = attempt?.cause === 'scope_too_small' || attempt?.cause === 'still_refused';
  return isFinal && attempt.status === 'failed'
    ? { code: 'CLIENT_HTTP_FORBIDDEN', afterSignIns: true }
    : undefined;
}

function problemOf(facts: ConditionFacts, status: ConnectorStatus): ConnectorProblem | undefined {
  const { state, auth, waitsForApproval, startError } = facts;
  switch (status) {
    case 'ready':
    case 'signing_in':
    case 'disabled':
      return undefined;
    case 'degraded':
      return describeProblem(refusedPart(auth) ?? state?.error);
    case 'needs_sign_in':
      return describeProblem(state?.error ?? { code: 'needs_sign_in' });
    case 'failed':
      return startError === undefined
        ? describeProblem(state?.error, lastLines(state))
        : describeProblem(startError);
    // With an error the one is coming back, and the other was given up after crashing too often.
    case 'connecting':
    case 'stopped':
      return state?.error === undefined || waitsForApproval
        ? undefined
        : describeProblem(state.error, lastLines(state));
  }
}

function lastLines(state: ConnectionState | undefined): readonly string[] {
  return (state?.error?.stderrTail ?? []).slice(-MAX_LINES).map((line) => line.slice(0, MAX_LINE));
}

/** Whether nothing is missing but somebody who wants something of it (K32). */
function waitsForUse({ record, state, waitsForApproval }: ConditionFacts): boolean {
  return record.starts === 'at_first_use' && state?.status === 'idle' && !waitsForApproval;
}

function causeOf(facts: ConditionFacts, status: ConnectorStatus): ConnectorCause {
  switch (status) {
    case 'connecting':
      return 'opening';
    case 'ready':
    case 'degraded':
      return 'connected';
    case 'signing_in':
    case 'needs_sign_in':
      return 'signInWaits';
    case 'stopped':
    case 'failed':
      if (facts.waitsForApproval) return 'approvalWaits';
      return waitsForUse(facts) ? 'firstUseWaits' : 'notRunning';
    case 'disabled':
      return 'switchedOff';
  }
}

function actionOf(
  facts: ConditionFacts,
  { status, problem }: Pick<Condition, 'status' | 'problem'>,
): ConnectorAction {
  switch (status) {
    case 'ready':
    case 'connecting':
      return 'reconnect';
    case 'signing_in':
      return 'cancel_sign_in';
    case 'needs_sign_in':
      return signInOf(facts);
    case 'degraded':
      return refusedPart(facts.auth) === undefined ? remedyOf(facts, problem) : signInOf(facts);
    case 'failed':
      return remedyOf(facts, problem);
    case 'stopped':
      if (facts.waitsForApproval) return 'review';
      return waitsForUse(facts) ? 'start' : 'reconnect';
    case 'disabled':
      return 'enable';
  }
}

/** How an account comes to be signed in. */
function signInOf({ record, auth }: ConditionFacts): ConnectorAction {
  if (auth === undefined || hasOwnAuthorization(record)) return 'edit';
  return auth.actsAs === 'application' ? 'change_credentials' : 'sign_in';
}

function remedyOf(facts: ConditionFacts, problem: ConnectorProblem | undefined): ConnectorAction {
  const texts: Partial<ProblemTexts> = problem === undefined ? {} : CONNECTOR_PROBLEMS[problem.kind];
  const { action = 'reconnect' } = texts;
  if (action === 'sign_in') return signInOf(facts);
  // What is part of the host has nothing to edit.
  return action === 'edit' && facts.record.transport.kind === 'builtin' ? 'reconnect' : action;
}
