import { describe, expect, it } from 'vitest';
import { ViewsError } from './errors.ts';
import { createLifecycle } from './lifecycle.ts';

function record() {
  const steps: string[] = [];
  return { steps, lifecycle: createLifecycle({ changed: (status) => steps.push(status) }) };
}

describe('the steps of a view', () => {
  it('R152 come once and in order, whatever is skipped or told twice', () => {
    const { steps, lifecycle } = record();
    for (const step of ['resolving', 'connecting', 'sandbox-loading', 'ready', 'initialized'] as const)
      lifecycle.reach(step);
    for (const step of ['tearing-down', 'tearing-down', 'closed', 'closed'] as const) lifecycle.leave(step);
    lifecycle.reach('ready');
    expect(steps).toEqual([
      'resolving',
      'sandbox-loading',
      'connecting',
      'initialized',
      'ready',
      'tearing-down',
      'closed',
    ]);
  });

  it('R152 end with one error', () => {
    const { steps, lifecycle } = record();
    lifecycle.reach('resolving');
    const error = new ViewsError('view_silent', { timeoutMs: 1 });
    expect([lifecycle.fail(error), lifecycle.fail(error), lifecycle.ended]).toEqual([true, false, true]);
    lifecycle.reach('ready');
    lifecycle.leave('tearing-down');
    lifecycle.leave('closed');
    expect(steps).toEqual(['resolving', 'error']);
  });
});
