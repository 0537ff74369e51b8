import { expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { LOOK_EVERY_MS, watchFolder } from './folder-watch.ts';

function watched(answers: readonly (boolean | Error)[]) {
  const clock = createManualClock();
  const left = [...answers];
  let lost = false;
  const watch = watchFolder(
    {
      isHeld() {
        const answer = left.shift() ?? true;
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
    clock,
  );
  void watch.lost.then(() => {
    lost = true;
  });
  return { clock, watch, isLost: () => lost, left };
}

it('a folder that is gone is noticed at the next look', async () => {
  const { clock, isLost } = watched([true, true, false]);
  await clock.advance(2 * LOOK_EVERY_MS);
  expect(isLost()).toBe(false);
  await clock.advance(LOOK_EVERY_MS);
  expect([isLost(), clock.armed]).toEqual([true, 0]);
});

it('a folder that cannot be read for a moment is not gone', async () => {
  const { clock, isLost } = watched([new Error('EIO'), true]);
  await clock.advance(3 * LOOK_EVERY_MS);
  expect([isLost(), clock.armed]).toEqual([false, 1]);
});

it('nobody looks after the watch has stopped', async () => {
  const { clock, watch, left } = watched([false]);
  watch.stop();
  await clock.advance(3 * LOOK_EVERY_MS);
  expect([left.length, clock.armed]).toEqual([1, 0]);
});
