import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createTextUpdates } from './text-updates.ts';
import type { TextUpdate } from './text-updates.ts';

function setUp() {
  const clock = createManualClock();
  const sent: TextUpdate[] = [];
  const updates = createTextUpdates(clock, (update) => void sent.push(update));
  return { clock, sent, updates };
}

describe('text updates', () => {
  it('joins pieces to at most 30 updates a second and loses none', async () => {
    const { clock, sent, updates } = setUp();
    let text = '';
    for (let index = 0; index < 1000; index++) {
      const piece = `${index} `;
      updates.add({ itemId: 'a', offset: text.length, text: piece });
      text += piece;
      await clock.advance(1);
    }
    updates.flush();
    expect(sent.length).toBeLessThanOrEqual(31);
    expect(sent.length).toBeGreaterThan(25);
    let seen = '';
    for (const update of sent) {
      expect(update.offset).toBe(seen.length);
      seen += update.text;
    }
    expect(seen).toBe(text);
  });

  it('sends the first piece at once', () => {
    const { sent, updates } = setUp();
    updates.add({ itemId: 'a', offset: 0, text: 'Hello' });
    expect(sent).toEqual([{ itemId: 'a', offset: 0, text: 'Hello' }]);
  });

  it('never joins the texts of two items', () => {
    const { sent, updates } = setUp();
    updates.add({ itemId: 'a', offset: 0, text: '1' });
    updates.add({ itemId: 'a', offset: 1, text: '2' });
    updates.add({ itemId: 'b', offset: 0, text: '3' });
    updates.flush();
    expect(sent.map(({ itemId, text }) => itemId + text)).toEqual(['a1', 'a2', 'b3']);
  });

  it('keeps nothing back after closing', async () => {
    const { clock, sent, updates } = setUp();
    updates.add({ itemId: 'a', offset: 0, text: '1' });
    updates.add({ itemId: 'a', offset: 1, text: '2' });
    updates.close();
    await clock.advance(1000);
    expect(sent.length).toBe(1);
    expect(clock.armed).toBe(0);
  });
});
