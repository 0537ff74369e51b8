import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { RpcError } from './errors.ts';
import { FaultReporter } from './fault-reporter.ts';

describe('a reporter of faults', () => {
  it('tells a hundred of a kind one by one, counts the rest, and starts anew in the next second', async () => {
    const clock = createManualClock();
    const told: (Error & { code?: unknown; data?: unknown })[] = [];
    const faults = new FaultReporter(clock, (error) => told.push(error));
    for (let index = 0; index < 10_000; index += 1) faults.report(new RpcError('parse_error', undefined));
    faults.report(new TypeError('of another kind'));
    expect(told).toHaveLength(101);
    await clock.advance(1000);
    expect(told.at(-1)).toMatchObject({
      code: 'faults_merged',
      data: { code: 'parse_error', count: 9_900 },
    });
    faults.report(new RpcError('parse_error', undefined));
    expect(told).toHaveLength(103);
    expect(clock.armed).toBe(0);
  });

  it('tells what was only counted when the channel ends, and outlives a throwing callback', () => {
    const clock = createManualClock();
    const told: Error[] = [];
    const faults = new FaultReporter(clock, (error) => {
      told.push(error);
      throw error;
    });
    for (let index = 0; index < 150; index += 1) faults.report(new RpcError('parse_error', undefined));
    faults.end();
    expect(told).toHaveLength(101);
    expect(told.at(-1)).toMatchObject({ data: { count: 50 } });
    expect(clock.armed).toBe(0);
  });
});
