import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createScriptedBrowser } from '../../../../testing/scripted-environment.ts';
import { createLeaseLocks } from './lease-locks.ts';

/** Two tabs that share a storage and a clock. */
function openTabs() {
  const clock = createManualClock();
  const browser = createScriptedBrowser({ clock, slowStorage: true });
  const { storage } = browser;
  let ids = 0;
  const tab = () =>
    createLeaseLocks({ storage, clock, random: () => 0.5, randomId: () => `owner-${(ids += 1)}` });
  return { clock, stored: () => browser.stored(), storage, first: tab(), second: tab() };
}

describe('locks without Web Locks', () => {
  it('let one tab at a time work, and leave nothing behind', async () => {
    const { clock, stored, first, second } = openTabs();
    const log: string[] = [];
    const work = (name: string) => async (): Promise<string> => {
      log.push(`${name} begins`);
      await new Promise<void>((resolve) => void clock.setTimer(12_000, () => resolve()));
      log.push(`${name} ends`);
      return name;
    };
    const both = Promise.all([first.run('x', work('first')), second.run('x', work('second'))]);
    await clock.advance(60_000);
    expect(await both).toEqual(['first', 'second']);
    expect([log[0]?.split(' ')[0], log[2]?.split(' ')[0]]).toEqual([
      log[1]?.split(' ')[0],
      log[3]?.split(' ')[0],
    ]);
    expect([stored(), clock.armed]).toEqual([{}, 0]);
  });

  it('keep others out no longer than a lease lasts when their tab is gone', async () => {
    const { clock, storage, first } = openTabs();
    await storage.setItem(
      'portico lease x',
      JSON.stringify({ owner: 'gone', untilMs: clock.now() + 10_000 }),
    );
    let ran = false;
    const done = first.run('x', async () => void (ran = true));
    await clock.advance(9_000);
    expect(ran).toBe(false);
    await clock.advance(2_000);
    await done;
    expect(ran).toBe(true);
  });

  it('pass on what the work throws, and let the next one in', async () => {
    const { clock, first } = openTabs();
    const failed = first
      .run('x', () => Promise.reject(new TypeError('no')))
      .catch((error: Error) => error.message);
    await clock.advance(1_000);
    expect(await failed).toBe('no');
    const next = first.run('x', () => Promise.resolve(2));
    await clock.advance(1_000);
    expect(await next).toBe(2);
  });
});
