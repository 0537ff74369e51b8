import { describe, expect, it } from 'vitest';
import { createSystemClock, systemClock } from './system-clock.ts';

describe('systemClock', () => {
  it('runs a timer once, not within the call', async () => {
    let runs = 0;
    const ran = new Promise<void>((resolve) => {
      systemClock.setTimer(0, () => {
        runs += 1;
        resolve();
      });
    });
    expect(runs).toBe(0);
    await ran;
    expect(runs).toBe(1);
  });

  it('does not run a cancelled timer, nor one too far away to count', async () => {
    const clock = createSystemClock();
    let runs = 0;
    clock.setTimer(0, () => (runs += 1)).cancel();
    const far = clock.setTimer(2 ** 40, () => (runs += 1));
    far.unref?.();
    far.ref?.();
    await new Promise<void>((resolve) => clock.setTimer(1, resolve));
    far.cancel();
    expect(runs).toBe(0);
  });
});
