import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { Clock, Timer } from './clock.ts';
import { createDeadlines } from './deadlines.ts';

describe('deadlines', () => {
  it('expire in order of their time, on one timer a length', async () => {
    const clock = createManualClock();
    const deadlines = createDeadlines(clock);
    const expired: string[] = [];
    deadlines.add(100, () => expired.push('a'));
    deadlines.add(50, () => expired.push('b'));
    await clock.advance(10);
    deadlines.add(100, () => expired.push('c'));
    expect(clock.armed).toBe(2);
    await clock.advance(95);
    expect(expired).toEqual(['b', 'a']);
    await clock.advance(5);
    expect(expired).toEqual(['b', 'a', 'c']);
    expect(clock.armed).toBe(0);
  });

  it('may be cancelled, cancelled again, and restarted', async () => {
    const clock = createManualClock();
    const deadlines = createDeadlines(clock);
    const expired: string[] = [];
    const gone = deadlines.add(10, () => expired.push('gone'));
    const moved = deadlines.add(10, () => expired.push('moved'));
    gone.cancel();
    gone.cancel();
    gone.restart();
    await clock.advance(6);
    moved.restart();
    await clock.advance(6);
    expect(expired).toEqual([]);
    await clock.advance(4);
    expect(expired).toEqual(['moved']);
    moved.restart();
    expect(clock.armed).toBe(0);
  });

  it('go on when one adds another as it expires', async () => {
    const clock = createManualClock();
    const deadlines = createDeadlines(clock);
    let count = 0;
    const again = (): void => {
      count += 1;
      if (count < 3) deadlines.add(10, again);
    };
    deadlines.add(10, again);
    await clock.advance(30);
    expect(count).toBe(3);
  });

  it('forget everything when cleared', async () => {
    const clock = createManualClock();
    const deadlines = createDeadlines(clock);
    let expired = 0;
    const held = deadlines.add(10, () => (expired += 1));
    deadlines.add(20, () => (expired += 1));
    deadlines.clear();
    held.cancel();
    await clock.advance(100);
    expect(expired).toBe(0);
    expect(clock.armed).toBe(0);
  });

  it('come due although the wall clock is set back', () => {
    let nowMs = 1000;
    const runs: (() => void)[] = [];
    const clock: Clock = {
      now: () => nowMs,
      setTimer(_delayMs, run) {
        runs.push(run);
        return { cancel: () => undefined };
      },
    };
    let expired = false;
    createDeadlines(clock).add(50, () => (expired = true));
    nowMs = -1_000_000;
    runs[0]?.();
    expect(expired).toBe(true);
  });

  it('let the process end while none is open, where the clock can do that', () => {
    let held = 0;
    let armed = 0;
    const timer: Timer = {
      cancel: () => (held = 0),
      ref: () => (held = 1),
      unref: () => (held = 0),
    };
    const clock: Clock = {
      now: () => 0,
      setTimer() {
        armed += 1;
        held = 1;
        return timer;
      },
    };
    const deadlines = createDeadlines(clock);
    for (let call = 0; call < 10; call += 1) {
      const deadline = deadlines.add(5, () => undefined);
      expect(held).toBe(1);
      deadline.cancel();
      expect(held).toBe(0);
    }
    expect(armed).toBe(1);
  });

  it('do not gather lengths that are no longer in use', () => {
    const clock = createManualClock();
    const deadlines = createDeadlines(clock);
    for (let delayMs = 1; delayMs <= 10_000; delayMs += 1) {
      deadlines.add(delayMs, () => undefined).cancel();
    }
    expect(clock.armed).toBe(0);
    deadlines.add(3, () => undefined);
    expect(clock.armed).toBe(1);
  });

  it('agree with one timer each for any mix of lengths and cancels', async () => {
    const step = fc.record({
      delayMs: fc.integer({ min: 1, max: 5 }),
      waitMs: fc.integer({ min: 0, max: 3 }),
      cancel: fc.boolean(),
    });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const clock = createManualClock();
      const deadlines = createDeadlines(clock);
      const startMs = clock.now();
      const expired: [number, number][] = [];
      const expected: [number, number][] = [];
      for (const [index, { delayMs, waitMs, cancel }] of steps.entries()) {
        const dueMs = clock.now() - startMs + delayMs;
        const deadline = deadlines.add(delayMs, () => expired.push([clock.now() - startMs, index]));
        if (cancel) deadline.cancel();
        else expected.push([dueMs, index]);
        if (waitMs > 0) await clock.advance(waitMs);
      }
      await clock.advance(10);
      const byIndex = (a: [number, number], b: [number, number]): number => a[1] - b[1];
      expect(expired.sort(byIndex)).toEqual(expected);
      expect(clock.armed).toBe(0);
    });
    await fc.assert(property, { seed: 3, numRuns: 20 });
  });
});
