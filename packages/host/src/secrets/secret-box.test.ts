import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox({ current: randomBytes(32), previous: [] });

describe('a secret box', () => {
  it('opens what it sealed, at its place', () => {
    for (const plain of ['', 'token', 'ä 漢 🙂 \u0000', 'x'.repeat(100_000)]) {
      expect(box.open(box.seal(plain, 'connector:1:env:KEY'), 'connector:1:env:KEY')).toBe(plain);
    }
  });

  it('seals two equal secrets differently, each with the key id and without the text', () => {
    const first = box.seal('the same secret', 'place');
    const second = box.seal('the same secret', 'place');
    expect(first).not.toBe(second);
    expect(first.split('.').slice(0, 2)).toEqual(second.split('.').slice(0, 2));
    expect(Buffer.from(first.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain('secret');
  });

  it('refuses another key, another place and any changed byte', () => {
    const sealed = box.seal('secret', 'place');
    const other = createSecretBox({ current: randomBytes(32), previous: [] });
    expect(() => other.open(sealed, 'place')).toThrow(expect.objectContaining({ code: 'secret_unreadable' }));
    expect(() => box.open(sealed, 'elsewhere')).toThrow(
      expect.objectContaining({ code: 'secret_unreadable' }),
    );
    for (let at = 0; at < sealed.length - 1; at++) {
      const flipped = sealed[at] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, at) + flipped + sealed.slice(at + 1);
      expect(() => box.open(changed, 'place'), changed).toThrow(
        expect.objectContaining({ code: 'secret_unreadable' }),
      );
    }
  });

  it.each(['', 'plain text', 'p1.x', 'p1...', 'p9.a.b.c'])('refuses %j as no sealed text', (text) => {
    expect(() => box.open(text, 'place')).toThrow(expect.objectContaining({ code: 'secret_unreadable' }));
  });

  it('opens what an earlier key sealed as long as it is told that key, and seals with the new one', () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const turning = createSecretBox({ current: first, previous: [] });
    const old = turning.seal('secret', 'place');
    expect(turning.isCurrent(old)).toBe(true);
    turning.turnTo({ current: second, previous: [first] });
    expect(turning.open(old, 'place')).toBe('secret');
    expect(turning.isCurrent(old)).toBe(false);
    const renewed = turning.seal('secret', 'place');
    expect(turning.isCurrent(renewed)).toBe(true);
    turning.turnTo({ current: second, previous: [] });
    expect(turning.open(renewed, 'place')).toBe('secret');
    expect(() => turning.open(old, 'place')).toThrow(expect.objectContaining({ code: 'secret_unreadable' }));
  });
});
