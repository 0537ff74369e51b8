import { describe, expect, it } from 'vitest';
import type { Check, Outcome, Side } from './suite.mjs';
import { CLIENT_DONE, forbiddenEntries, judge } from './verdict.mjs';

const NONE = { client: {}, server: {} };
const check = (status: Check['status'], id = 'a'): Check => ({ id, status, description: `checks ${id}` });
const outcome = (side: Side, checks: readonly Check[], clientOutput = CLIENT_DONE): Outcome => ({
  side,
  version: 'default',
  scenario: 'auth/one',
  checks,
  clientOutput,
});

describe('the verdict on a scenario', () => {
  it('is passed when something was checked and nothing failed', () => {
    expect(judge(outcome('server', [check('SUCCESS'), check('SKIPPED')]), NONE).state).toBe('passed');
    expect(judge(outcome('client', [check('SUCCESS'), check('INFO')]), NONE).state).toBe('passed');
  });

  it('is skipped when nothing was checked at all', () => {
    expect(judge(outcome('server', [check('SKIPPED')]), NONE).state).toBe('skipped');
  });

  it('names every check that failed or warned', () => {
    const checks = [check('SUCCESS'), check('FAILURE', 'b'), check('WARNING', 'c')];
    expect(judge(outcome('server', checks), NONE)).toEqual({
      state: 'failed',
      why: 'b: checks b; c: checks c',
    });
  });

  it('is failed when the scenario left no checks, or our client did not get to its end', () => {
    expect(judge(outcome('server', []), NONE).state).toBe('failed');
    expect(judge(outcome('client', [check('SUCCESS')], 'Error: out of luck'), NONE)).toEqual({
      state: 'failed',
      why: 'the client did not finish: Error: out of luck',
    });
  });

  it('is expected for a listed scenario of that side that fails', () => {
    const expected = { client: { 'auth/one': 'not built' }, server: {} };
    expect(judge(outcome('client', [check('FAILURE')]), expected).state).toBe('expected');
    expect(judge(outcome('server', [check('FAILURE')]), expected).state).toBe('failed');
  });

  it('is failed for a listed scenario that passes, so that the list shrinks', () => {
    const expected = { client: { 'auth/one': 'not built' }, server: {} };
    expect(judge(outcome('client', [check('SUCCESS')]), expected).state).toBe('failed');
  });
});

describe('the list of expected failures', () => {
  it('takes scenarios of authorization and skills only', () => {
    const expected = { client: { 'auth/one': 'later', tools_call: 'no' }, server: { 'sep-2640-a': 'later' } };
    expect(forbiddenEntries(expected)).toEqual(['tools_call']);
  });
});
