import { expect, it } from 'vitest';
import { joinRuns } from './joined-runs.ts';

it('whoever asks during a run gets the next one, together with the others who ask meanwhile', async () => {
  const ends: (() => void)[] = [];
  const run = joinRuns(() => new Promise<number>((resolve) => ends.push(() => resolve(ends.length))));
  const first = run();
  await Promise.resolve();
  const later = [run(), run()];
  await Promise.resolve();
  expect(ends.length).toBe(1);
  ends[0]?.();
  expect(await first).toBe(1);
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  expect(await Promise.all(later)).toEqual([2, 2]);
  expect(ends.length).toBe(2);
});

it('a run that failed leaves the next one alone', async () => {
  let runs = 0;
  const run = joinRuns(async () => {
    runs += 1;
    if (runs === 1) throw new TypeError('the first one');
    return Promise.resolve(runs);
  });
  const first = run();
  await expect(first).rejects.toThrow('the first one');
  expect(await run()).toBe(2);
});
