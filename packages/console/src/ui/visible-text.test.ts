import { describe, expect, it } from 'vitest';
import { showHidden, showHiddenInLines } from './visible-text.ts';

describe('text with characters that do not show', () => {
  it.each([
    ['a direction override', 'exe\u202egnp', 'exe\\u{202e}gnp'],
    ['an isolate', 'a\u2066b', 'a\\u{2066}b'],
    ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
    ['a byte order mark', '\ufeffa', '\\u{feff}a'],
    ['a tag character', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a variation selector that follows a letter', 'a\ufe0f', 'a\\u{fe0f}'],
    ['a variation selector of the supplement', 'a\u{e0101}', 'a\\u{e0101}'],
    ['a grapheme joiner', 'a\u034f', 'a\\u{34f}'],
    ['a Hangul filler', 'a\u3164', 'a\\u{3164}'],
    ['an empty Braille pattern', 'a\u2800', 'a\\u{2800}'],
    ['an escape sequence', '\u001b[2K', '\\u{1b}[2K'],
    ['half of a pair', 'a\ud800', 'a\\u{d800}'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['line ends and tabs', 'a\r\n\tb', 'a\\r\\n\\tb'],
  ])('writes %s as an escape', (_name, text, shown) => {
    expect(showHidden(text)).toBe(shown);
  });

  it('leaves what shows, in every script, with the looks of pictographs', () => {
    const text = 'rm -rf "$HOME" Größe ключ 漢字 مرحبا e\u0301 \u2764\ufe0f';
    expect(showHidden(text)).toBe(text);
  });

  it('keeps line breaks and tabs where lines are shown as lines, and nothing else', () => {
    expect(showHiddenInLines('a\n\tb\u202e\r')).toBe('a\n\tb\\u{202e}\\r');
  });

  it('writes a second selector, which could only carry something hidden', () => {
    expect(showHidden('\u2764\ufe0f\ufe0f')).toBe('\u2764\ufe0f\\u{fe0f}');
  });
});
