import { describe, expect, it } from 'vitest';
import { HostError } from '../errors.ts';
import { printFailure, printable } from './terminal.ts';
import type { Terminal } from './terminal.ts';

function recorder(): Terminal & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    out: (text) => void lines.push(`out ${text}`),
    err: (text) => void lines.push(`err ${text}`),
  };
}

describe('text for a terminal', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '\\u{1b}[31mred\\u{1b}[0m'],
    ['\u001b]0;title\u0007', '\\u{1b}]0;title\\u{7}'],
    ['over\rwritten', 'over\\u{d}written'],
    ['\u202egnp.exe', '\\u{202e}gnp.exe'],
    ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
    ['\u009b31m', '\\u{9b}31m'],
    ['kept: ä 漢 🙂\tand\nlines', 'kept: ä 漢 🙂\tand\nlines'],
  ])('%j becomes %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

describe('a failure', () => {
  const failure = new HostError('port_in_use', {
    message: 'port 80 is in use',
    data: { port: 80, remedy: 'take another one', issues: ['one', 'two'] },
    cause: new TypeError('why'),
  });

  it('is a sentence, its issues and a remedy', () => {
    const terminal = recorder();
    printFailure(terminal, failure, false);
    expect(terminal.lines).toEqual([
      'err portico: port 80 is in use',
      'err   one',
      'err   two',
      'err   take another one',
    ]);
  });

  it('is one line of JSON on the second stream', () => {
    const terminal = recorder();
    printFailure(terminal, failure, true);
    expect(terminal.lines).toHaveLength(1);
    expect(JSON.parse(terminal.lines[0]?.slice(4) ?? '')).toMatchObject({
      error: { code: 'port_in_use', message: 'port 80 is in use', cause: 'why', port: 80 },
    });
  });

  it('without a code is an unexpected fault', () => {
    const terminal = recorder();
    printFailure(terminal, new TypeError('oops'), true);
    expect(JSON.parse(terminal.lines[0]?.slice(4) ?? '')).toMatchObject({ error: { code: 'unexpected' } });
  });
});
