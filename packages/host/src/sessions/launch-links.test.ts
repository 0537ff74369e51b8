import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createLaunchLinks } from './launch-links.ts';

describe('launch links', () => {
  it('work once', () => {
    const links = createLaunchLinks(createManualClock());
    const token = links.issue();
    expect(links.redeem(token)).toBe(true);
    expect(links.redeem(token)).toBe(false);
  });

  it('hold at least 160 bits, never the same', () => {
    const links = createLaunchLinks(createManualClock());
    const tokens = Array.from({ length: 50 }, () => links.issue());
    expect(new Set(tokens).size).toBe(50);
    for (const token of tokens) expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(20);
  });

  it('stop working ten minutes after they were issued', async () => {
    const clock = createManualClock();
    const links = createLaunchLinks(clock);
    const early = links.issue();
    await clock.advance(1);
    const late = links.issue();
    await clock.advance(10 * 60_000 - 1);
    expect(links.redeem(early)).toBe(false);
    expect(links.redeem(late)).toBe(true);
  });

  it('that were never issued do nothing to those that were', () => {
    const links = createLaunchLinks(createManualClock());
    const token = links.issue();
    for (const wrong of ['', 'x', token.slice(1), `${token}x`]) expect(links.redeem(wrong)).toBe(false);
    expect(links.redeem(token)).toBe(true);
  });

  it('that wait are at most a hundred, the newest', () => {
    const links = createLaunchLinks(createManualClock());
    const tokens = Array.from({ length: 101 }, () => links.issue());
    expect(links.redeem(tokens[0] ?? '')).toBe(false);
    expect(links.redeem(tokens[1] ?? '')).toBe(true);
  });
});
