import { expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createPendingSignIns } from './pending-sign-ins.ts';
import type { AttemptLog, SignInEnd } from './sign-in-log.ts';

const MINUTE_MS = 60_000;

function open() {
  const clock = createManualClock();
  const ends: SignInEnd[] = [];
  const log: Partial<AttemptLog> = { end: (end) => void ends.push(end) };
  const pending = createPendingSignIns(clock);
  const browser = { session: 'mine', origin: 'http://portico.localhost:1', mode: 'window' } as const;
  pending.add('s1', { ...browser, connectorId: 'c1', log: log as AttemptLog });
  return { clock, ends, pending };
}

it('K52 lets a way back go after ten minutes, and says so', async () => {
  const { clock, ends, pending } = open();
  await clock.advance(10 * MINUTE_MS - 1);
  expect(pending.originOf('s1')).toBe('http://portico.localhost:1');
  expect(ends).toEqual([]);
  await clock.advance(1);
  expect(pending.originOf('s1')).toBeUndefined();
  expect(pending.take('s1', 'mine')).toBeUndefined();
  expect(ends).toMatchObject([{ status: 'failed', cause: 'expired' }]);
});

it('is taken once, and only by the browser that began', async () => {
  const { clock, ends, pending } = open();
  expect(pending.take('s1', 'foreign')).toBeUndefined();
  expect(pending.take('s1', 'mine')).toMatchObject({ connectorId: 'c1' });
  expect(pending.take('s1', 'mine')).toBeUndefined();
  await clock.advance(20 * MINUTE_MS);
  expect(ends).toEqual([]);
});

it('ends with its account, or with the host', async () => {
  const { clock, ends, pending } = open();
  pending.cancel('other');
  expect(ends).toEqual([]);
  pending.cancel('c1');
  expect(ends).toEqual([{ status: 'cancelled', cause: 'cancelled' }]);
  const second = open();
  second.pending.close();
  await second.clock.advance(20 * MINUTE_MS);
  await clock.advance(20 * MINUTE_MS);
  expect([ends.length, second.ends.length]).toEqual([1, 0]);
});
