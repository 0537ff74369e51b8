import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { ReportPacer } from './report-pacer.ts';
import { RequestReports } from './request-reports.ts';

describe('a pacer', () => {
  it('lets a hundred messages through at once when no more come', async () => {
    const clock = createManualClock();
    const pacer = new ReportPacer(clock, 100);
    const sent: number[] = [];
    for (let index = 1; index <= 100; index += 1) pacer.pass(() => sent.push(index));
    await clock.advance(1000);
    expect(sent).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(clock.armed).toBe(0);
  });

  it('keeps the newest of a flood, for the next second or for the end', async () => {
    const clock = createManualClock();
    const sent: number[] = [];
    const flooded = new ReportPacer(clock, 10);
    for (let index = 1; index <= 1000; index += 1) flooded.pass(() => sent.push(index));
    expect(sent).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await clock.advance(999);
    expect(sent).toHaveLength(9);
    await clock.advance(1);
    expect(sent.slice(9)).toEqual([1000]);

    const ended = new ReportPacer(clock, 10);
    for (let index = 1; index <= 1000; index += 1) ended.pass(() => sent.push(-index));
    ended.flush();
    ended.flush();
    expect(sent.slice(-2)).toEqual([-9, -1000]);
    const stopped = new ReportPacer(clock, 2);
    for (let index = 0; index < 9; index += 1) stopped.pass(() => sent.push(0));
    stopped.stop();
    await clock.advance(10_000);
    expect(sent.filter((value) => value === 0)).toHaveLength(1);
    expect(clock.armed).toBe(0);
  });

  it('passes its limit in no second, however the messages fall', async () => {
    const waits = fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 60 });
    const property = fc.asyncProperty(waits, async (steps) => {
      const clock = createManualClock();
      const pacer = new ReportPacer(clock, 5);
      const times: number[] = [];
      let newest = 0;
      let last = 0;
      for (const waitMs of steps) {
        newest += 1;
        const value = newest;
        pacer.pass(() => {
          times.push(clock.now());
          expect(value).toBeGreaterThan(last);
          last = value;
        });
        if (waitMs > 60) await clock.advance(waitMs);
      }
      pacer.flush();
      expect(last).toBe(newest);
      for (const at of times) {
        expect(times.filter((other) => other >= at && other < at + 1000).length).toBeLessThanOrEqual(5);
      }
    });
    await fc.assert(property, { seed: 6, numRuns: 10 });
  });
});

describe('reports of a request', () => {
  it('refuse progress under another token, none when none was given', () => {
    const sent: unknown[] = [];
    const faults: Error[] = [];
    const reportsFor = (token: unknown): RequestReports =>
      new RequestReports({
        clock: createManualClock(),
        token,
        progressMethod: 'notifications/progress',
        send: (method, params) => {
          sent.push([method, params]);
          return Promise.resolve();
        },
        report: (fault) => faults.push(fault),
      });
    const silent = reportsFor(undefined);
    silent.progress({ progress: 1 });
    expect(faults).toEqual([]);
    silent.notify('notifications/progress', { progressToken: 'made up', progress: 1 });
    silent.notify('notifications/progress', undefined);
    const asked = reportsFor(0);
    asked.notify('notifications/progress', { progressToken: '0', progress: 1 });
    asked.notify('notifications/progress', { progressToken: 0, progress: 'x' });
    asked.notify('notifications/progress', { progressToken: 0, progress: 3, total: 4 });
    asked.notify('notifications/message', { data: 'x' });
    asked.end();
    asked.progress({ progress: 9 });
    expect(sent).toEqual([
      ['notifications/progress', { progressToken: 0, progress: 3, total: 4 }],
      ['notifications/message', { data: 'x' }],
    ]);
    expect(faults.map((fault) => (fault as { code?: unknown }).code)).toEqual(
      Array.from({ length: 5 }, () => 'progress_refused'),
    );
  });
});
