import { CONNECTOR_ACTIONS, CONNECTOR_STATES } from '@portico/api';
import type { ConnectorAuth, ConnectorStatus } from '@portico/api';
import type { ConnectionFailure, ConnectionState, ConnectionStatus } from '@portico/connections';
import { describe, expect, it } from 'vitest';
import type { ConnectorRecord } from '../ports/stores.ts';
import { conditionOf, restingCondition } from './connector-condition.ts';
import type { ConditionFacts } from './connector-condition.ts';
import { connectorView } from './connector-view.ts';

const RECORD: ConnectorRecord = {
  id: 'a',
  name: 'A',
  label: '',
  groupId: 'a',
  transport: { kind: 'http', url: 'https://a.example/mcp', headers: {} },
  enabled: true,
  starts: 'with_portico',
  approvedHash: null,
  createdAtMs: 1,
};
const OFF = { ...RECORD, enabled: false };
const OWN_HEADER: ConnectorRecord = {
  ...RECORD,
  transport: { kind: 'http', url: 'https://a.example/mcp', headers: { AUTHORIZATION: 'sealed' } },
};
const LAZY: ConnectorRecord = { ...RECORD, starts: 'at_first_use' };
const BUILTIN: ConnectorRecord = { ...RECORD, transport: { kind: 'builtin', module: 'demo' } };

const AUTH: ConnectorAuth = { signedIn: true, scopes: [], hasClientSecret: false, redirectUrl: '' };
const attempt = (status: 'running' | 'waiting' | 'failed', cause?: 'scope_too_small' | 'still_refused') => ({
  ...AUTH,
  attempt: { id: '1', connectorId: 'a', startedAtMs: 1, status, stepCount: 1, ...(cause && { cause }) },
});
const ASKS = { ...AUTH, asks: { scopes: ['write'] } };

const failure = (code: string, more: Partial<ConnectionFailure> = {}): ConnectionFailure => ({
  code,
  message: code,
  step: 'unknown',
  retryable: true,
  ...more,
});
const REFUSED = failure('CLIENT_HTTP_AUTHENTICATION', { step: 'sign_in', retryable: false });
const CRASHED = failure('STDIO_EXITED', { step: 'process', exitCode: 3, signal: null, stderrTail: ['why'] });
const TIMEOUT = failure('REQUEST_TIMEOUT', { step: 'timeout' });
const NOT_THERE = failure('CLIENT_HTTP_NOT_IMPLEMENTED', { httpStatus: 404 });

const state = (status: ConnectionStatus, error?: ConnectionFailure) =>
  ({ id: 'a', status, tools: [], ...(error && { error }) }) as unknown as ConnectionState;

const facts = (more: Partial<ConditionFacts>): ConditionFacts => ({
  record: RECORD,
  state: undefined,
  auth: AUTH,
  waitsForApproval: false,
  startError: undefined,
  ...more,
});

/** Every way to be in a state: what there is, the state, its cause (of a problem its kind), the one action. */
const TABLE: readonly (readonly [string, Partial<ConditionFacts>, ConnectorStatus, string, string])[] = [
  ['is opened', { state: state('connecting') }, 'connecting', 'opening', 'reconnect'],
  ['comes back', { state: state('connecting', CRASHED) }, 'connecting', 'processExitCode', 'reconnect'],
  ['is open', { state: state('ready') }, 'ready', 'connected', 'reconnect'],
  [
    'is open, and somebody signs in beside',
    { state: state('ready'), auth: attempt('waiting') },
    'ready',
    'connected',
    'reconnect',
  ],
  ['is refused', { state: state('needs_sign_in', REFUSED) }, 'needs_sign_in', 'signIn', 'sign_in'],
  [
    'is refused as an application',
    { state: state('needs_sign_in', REFUSED), auth: { ...AUTH, actsAs: 'application' } },
    'needs_sign_in',
    'signIn',
    'change_credentials',
  ],
  [
    'is refused with a header that was typed',
    { record: OWN_HEADER, state: state('needs_sign_in', REFUSED) },
    'needs_sign_in',
    'signIn',
    'edit',
  ],
  [
    'looks for where to sign in',
    { state: state('needs_sign_in', REFUSED), auth: attempt('running') },
    'signing_in',
    'signInWaits',
    'cancel_sign_in',
  ],
  [
    'waits for who signs in',
    { state: state('needs_sign_in', REFUSED), auth: attempt('waiting') },
    'signing_in',
    'signInWaits',
    'cancel_sign_in',
  ],
  [
    'did not sign in',
    { state: state('needs_sign_in', REFUSED), auth: attempt('failed') },
    'needs_sign_in',
    'signIn',
    'sign_in',
  ],
  [
    'does not answer pings',
    { state: state('degraded', failure('ping_missed', { step: 'timeout' })) },
    'degraded',
    'pingMissed',
    'reconnect',
  ],
  ['lost its tools', { state: state('degraded', TIMEOUT) }, 'degraded', 'timeout', 'reconnect'],
  [
    'was refused a part for its scopes',
    { state: state('ready'), auth: ASKS },
    'degraded',
    'moreScopes',
    'sign_in',
  ],
  [
    'was refused a part that wants a sign-in',
    { state: state('ready'), auth: { ...ASKS, signedIn: false } },
    'degraded',
    'signIn',
    'sign_in',
  ],
  [
    'is refused still after two sign-ins',
    { state: state('ready'), auth: attempt('failed', 'still_refused') },
    'degraded',
    'stillRefused',
    'sign_in',
  ],
  ['is not there', { state: state('failed', NOT_THERE) }, 'failed', 'noEndpoint', 'edit'],
  ['ends as it starts', { state: state('failed', CRASHED) }, 'failed', 'processExitCode', 'edit'],
  ['was too slow', { state: state('failed', TIMEOUT) }, 'failed', 'timeout', 'reconnect'],
  [
    'has no program',
    { startError: Object.assign(new Error('x'), { code: 'command_not_found' }) },
    'failed',
    'programNotFound',
    'edit',
  ],
  [
    'is part of the host, and has nothing to edit',
    { record: BUILTIN, state: state('failed', failure('ERA_NEGOTIATION_FAILED')) },
    'failed',
    'notMcp',
    'reconnect',
  ],
  ['crashed too often', { state: state('stopped', CRASHED) }, 'stopped', 'processExitCode', 'reconnect'],
  ['waits for approval', { waitsForApproval: true }, 'stopped', 'approvalWaits', 'review'],
  ['was signed out', { state: state('stopped') }, 'stopped', 'notRunning', 'reconnect'],
  ['was never opened', { state: state('idle') }, 'stopped', 'notRunning', 'reconnect'],
  ['waits for its first use', { record: LAZY, state: state('idle') }, 'stopped', 'firstUseWaits', 'start'],
  [
    'waits for approval before its first use',
    { record: LAZY, state: state('idle'), waitsForApproval: true },
    'stopped',
    'approvalWaits',
    'review',
  ],
  [
    'was signed out and starts late',
    { record: LAZY, state: state('stopped') },
    'stopped',
    'notRunning',
    'reconnect',
  ],
  ['does not run', {}, 'stopped', 'notRunning', 'reconnect'],
  ['is switched off', { record: OFF, state: state('ready') }, 'disabled', 'switchedOff', 'enable'],
  ['is switched off unseen', { record: OFF, waitsForApproval: true }, 'disabled', 'switchedOff', 'enable'],
];

describe('how a connector is', () => {
  it.each(TABLE)('K27 K32 one that %s', (...[, given, status, kind, action]) => {
    const condition = conditionOf(facts(given));
    const { cause, problem } = condition;
    expect([condition.status, problem?.kind ?? cause.kind, condition.action]).toEqual([status, kind, action]);
    // A problem is the cause, with the same words.
    expect(cause.kind === 'problem').toBe(problem !== undefined);
    expect(cause.message).toBe(problem?.message ?? cause.message);
    expect(cause.message).toMatch(/\.$/);
  });

  it('K27 is one of eight things, for each of which the table has a way and a word', () => {
    const statuses = Object.keys(CONNECTOR_STATES);
    expect(statuses).toHaveLength(8);
    expect(new Set(TABLE.map(([, , status]) => status))).toEqual(new Set(statuses));
    expect(new Set(TABLE.map(([, , , , action]) => action))).toEqual(new Set(Object.keys(CONNECTOR_ACTIONS)));
    for (const words of [CONNECTOR_STATES, CONNECTOR_ACTIONS]) {
      expect(new Set(Object.values(words)).size).toBe(Object.keys(words).length);
    }
  });

  it('K27 is told the same while no host runs', () => {
    expect(restingCondition(RECORD)).toMatchObject({ status: 'stopped', action: 'reconnect' });
    expect(restingCondition(OFF)).toMatchObject({ status: 'disabled', action: 'enable' });
  });

  it('K30 K34 shows the last lines of a child, as many as fit on a card, and no secret in any of them', () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index} ${'x'.repeat(2_000)}`);
    const stderrTail = [...lines, 'the key canary-of-a-key is wrong'];
    const view = connectorView({
      ...facts({ state: state('stopped', { ...CRASHED, stderrTail }) }),
      pendingApproval: undefined,
      toolsVersion: '',
      secrets: () => ({ KEY: 'canary-of-a-key' }),
    });
    const shown = view.problem?.stderrTail ?? [];
    expect(shown).toHaveLength(40);
    expect(shown.at(-1)).toBe('the key [value of KEY] is wrong');
    expect(shown[0]).toMatch(/^line 1961 x+$/);
    expect(Math.max(...shown.map((line) => line.length))).toBe(500);
    expect(JSON.stringify(view)).not.toContain('canary');
  });

  it('K27 K34 hides secrets in the cause as well', () => {
    const error = failure('odd', { message: 'no way with canary-of-a-key' });
    const view = connectorView({
      ...facts({ state: state('failed', error) }),
      pendingApproval: undefined,
      toolsVersion: '',
      secrets: () => ({ KEY: 'canary-of-a-key' }),
    });
    expect(view.cause).toEqual({ kind: 'problem', message: view.problem?.message });
    expect(JSON.stringify(view)).not.toContain('canary');
  });
});
