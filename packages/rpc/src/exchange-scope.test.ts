import { describe, expect, it, vi } from 'vitest';
import { ExchangeScope } from './exchange-scope.ts';

describe('a scope of an exchange', () => {
  it('ends the step that is going on, once, and no earlier one', () => {
    const scope = new ExchangeScope();
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
    scope.during(first);
    scope.during(second);
    scope.abort();
    scope.abort();
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  });

  it('ends a step that begins too late at once, and none that is over', () => {
    const scope = new ExchangeScope();
    const [over, late] = [vi.fn<() => void>(), vi.fn<() => void>()];
    scope.during(over);
    scope.during(undefined);
    scope.abort();
    scope.during(late);
    expect([over.mock.calls.length, late.mock.calls.length]).toEqual([0, 1]);
  });

  it('says the same as a signal, whenever somebody looks', () => {
    const scope = new ExchangeScope();
    const { signal } = scope;
    expect(signal.aborted).toBe(false);
    scope.abort('enough');
    expect([scope.aborted, signal.aborted, signal.reason]).toEqual([true, true, 'enough']);
    const late = new ExchangeScope();
    late.abort('gone');
    expect([late.signal.aborted, late.signal.reason]).toEqual([true, 'gone']);
    expect(late.signal).toBe(late.signal);
  });
});
