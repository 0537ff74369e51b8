import { describe, expect, it } from 'vitest';
import { stripControlSequences } from './control-sequences.ts';
import { createStderrTail } from './stderr-tail.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('control sequences', () => {
  it.each([
    ['\u001B[31mred\u001B[0m', 'red'],
    ['\u001B]0;title\u0007after', 'after'],
    ['\u001B]8;;http://evil\u001B\\link\u001B]8;;\u001B\\', 'link'],
    ['a\u001BPq data\u001B\\b', 'ab'],
    ['\u009B2Jcleared', 'cleared'],
    ['tab\tstays, bell\u0007 and nul\u0000 go', 'tab\tstays, bell and nul go'],
    ['abc\u202Etxt.exe\u2066', 'abctxt.exe'],
    ['\u001B(Bset', 'set'],
    ['plain ünïcode 🎉', 'plain ünïcode 🎉'],
    ['cut short \u001B[', 'cut short '],
  ])('takes them out of %j', (dirty, clean) => {
    expect(stripControlSequences(dirty)).toBe(clean);
  });
});

describe('the tail of an error output', () => {
  it('joins chunks into lines, also where a character is cut', () => {
    const tail = createStderrTail();
    for (const byte of bytes('erste 🎉\r\nzweite\n\nrest')) tail.push(Uint8Array.of(byte));
    expect(tail.lines()).toEqual(['erste 🎉', 'zweite']);
    tail.end();
    expect(tail.lines()).toEqual(['erste 🎉', 'zweite', 'rest']);
  });

  it('keeps the last lines within all three bounds', () => {
    const told: string[] = [];
    const tail = createStderrTail({ maxLines: 3, maxLineLength: 5, maxLength: 12 }, (line) =>
      told.push(line),
    );
    tail.push(bytes('1\n2\n3\n4\n'));
    expect(tail.lines()).toEqual(['2', '3', '4']);
    tail.push(bytes(`${'x'.repeat(100)}\nyyyyy\n`));
    expect(tail.lines()).toEqual(['4', 'xxxxx', 'yyyyy']);
    tail.push(bytes('zzzzz\n'));
    expect(tail.lines()).toEqual(['yyyyy', 'zzzzz']);
    expect(told).toHaveLength(7);
  });

  it('shows the states of a progress bar as lines of their own', () => {
    const tail = createStderrTail();
    tail.push(bytes('10%\r20%\r30%\r'));
    expect(tail.lines()).toEqual(['10%', '20%', '30%']);
  });
});
