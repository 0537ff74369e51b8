import { MAX_SIGN_IN_STEPS } from '@portico/api';
import type { SignInAttempt } from '@portico/api';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createQuietLog } from '../../../../testing/quiet-log.ts';
import { HostError } from '../errors.ts';
import type { SignInStore } from '../ports/stores.ts';
import { createSignInLog } from './sign-in-log.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

function open(failure?: Error) {
  const clock = createManualClock();
  const log = createQuietLog();
  const kept = new Map<string, SignInAttempt>();
  const pruned: unknown[] = [];
  const told: SignInAttempt[] = [];
  const store: SignInStore = {
    list: (connectorId) =>
      Promise.resolve([...kept.values()].filter((each) => each.connectorId === connectorId).reverse()),
    put: (attempt) => {
      if (failure !== undefined) return Promise.reject(failure);
      kept.set(attempt.id, attempt);
      return Promise.resolve();
    },
    prune: (connectorId, limits) => {
      pruned.push([connectorId, limits]);
      return Promise.resolve();
    },
  };
  const signIns = createSignInLog({ store, clock, log, onChange: (attempt) => told.push(attempt) });
  return { clock, log, kept, pruned, told, store, signIns };
}

describe('the log of a sign-in', () => {
  it('has every step with its time, live and kept, to the sentence that explains the end', async () => {
    const { clock, kept, told, signIns } = open();
    const attempt = signIns.begin('c1');
    const startedAtMs = clock.now();
    attempt.add({
      step: 'resource-metadata',
      outcome: 'missed',
      request: { method: 'GET', url: 'https://api.example/.well-known/oauth-protected-resource' },
      status: 404,
    });
    await clock.advance(5);
    attempt.add({ step: 'authorization', outcome: 'asked', detail: { scopes: ['a', 'b'] } });
    attempt.waiting('id.example');
    await clock.advance(5);
    attempt.end({ status: 'failed', cause: 'access_denied', message: 'The person said no.' });
    attempt.end({ status: 'done' });
    attempt.add({ step: 'token', outcome: 'granted' });
    await attempt.stored();
    const whole = {
      id: attempt.id,
      connectorId: 'c1',
      startedAtMs,
      endedAtMs: startedAtMs + 10,
      status: 'failed',
      opens: 'id.example',
      cause: 'access_denied',
      message: 'The person said no.',
      steps: [
        {
          atMs: startedAtMs,
          step: 'resource-metadata',
          outcome: 'missed',
          method: 'GET',
          url: 'https://api.example/.well-known/oauth-protected-resource',
          status: 404,
        },
        { atMs: startedAtMs + 5, step: 'authorization', outcome: 'asked', detail: { scopes: ['a', 'b'] } },
      ],
    };
    expect(kept.get(attempt.id)).toEqual(whole);
    expect(await signIns.list('c1')).toEqual([whole]);
    expect(told.map(({ status, steps }) => [status, steps.length])).toEqual([
      ['running', 0],
      ['running', 1],
      ['running', 2],
      ['waiting', 2],
      ['failed', 2],
    ]);
  });

  it('is bounded: 200 steps, 20 attempts, 30 days, and texts of servers are cut and cleaned', async () => {
    const { clock, pruned, signIns } = open();
    const attempt = signIns.begin('c1');
    const detail = {
      text: `a\u0000b\u202e${'x'.repeat(1_000)}`,
      list: Array.from({ length: 50 }, () => 'y'),
    };
    for (let n = 0; n < MAX_SIGN_IN_STEPS + 5; n++) attempt.add({ step: 'token', outcome: 'used', detail });
    expect(attempt.current().steps).toHaveLength(MAX_SIGN_IN_STEPS);
    expect(attempt.current().steps[0]?.detail).toEqual({
      text: `a b ${'x'.repeat(496)}`,
      list: Array.from({ length: 20 }, () => 'y'),
    });
    await attempt.stored();
    expect(pruned).toEqual([['c1', { beforeMs: clock.now() - 30 * DAY_MS, keep: 19 }]]);
  });

  it('says of attempts that a stop cut off that they have expired', async () => {
    const { clock, store, signIns } = open();
    await store.put({ id: 'old', connectorId: 'c1', startedAtMs: 1, status: 'waiting', steps: [] });
    await clock.advance(10);
    expect(await signIns.list('c1')).toEqual([
      {
        id: 'old',
        connectorId: 'c1',
        startedAtMs: 1,
        endedAtMs: clock.now(),
        status: 'failed',
        cause: 'expired',
        steps: [],
      },
    ]);
  });

  it('goes on when it cannot be stored, and says so unless the account is gone', async () => {
    const full = open(new HostError('database_full'));
    const attempt = full.signIns.begin('c1');
    attempt.end({ status: 'done' });
    await attempt.stored();
    expect(attempt.current().status).toBe('done');
    expect(JSON.stringify(full.log.lines)).toContain('was not stored');
    const gone = open(new HostError('missing_parent'));
    await gone.signIns.begin('c1').stored();
    expect(gone.log.lines).toEqual([]);
  });
});
