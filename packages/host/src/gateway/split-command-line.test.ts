import { describe, expect, it } from 'vitest';
import { splitCommandLine } from './split-command-line.ts';

describe('splitCommandLine', () => {
  it.each([
    ['npx -y some-server', ['npx', '-y', 'some-server']],
    ['  node   "a b.js"  \'c d\'  ', ['node', 'a b.js', 'c d']],
    ['node a\\ b.js', ['node', 'a b.js']],
    ['node "say \\"hi\\"" \'it\\s\'', ['node', 'say "hi"', 'it\\s']],
    ['node --x="a b"c', ['node', '--x=a bc']],
    ['node "" end', ['node', '', 'end']],
    ['node \\\n  --flag', ['node', '--flag']],
    ['node "C:\\tools\\x"', ['node', 'C:\\tools\\x']],
  ])('splits %j', (line, expected) => {
    const { command, args } = splitCommandLine(line);
    expect([command, ...args]).toEqual(expected);
  });

  it('keeps every character of a shell plain', () => {
    const { command, args } = splitCommandLine(
      'echo $(touch /tmp/x) `id` a;b && c | d > e "$HOME" \'$(id)\'',
    );
    expect([command, ...args]).toEqual([
      'echo',
      '$(touch',
      '/tmp/x)',
      '`id`',
      'a;b',
      '&&',
      'c',
      '|',
      'd',
      '>',
      'e',
      '$HOME',
      '$(id)',
    ]);
  });

  it.each(['', '   ', '""', 'node "open', "node 'open"])('refuses %j', (line) => {
    expect(() => splitCommandLine(line)).toThrowError(expect.objectContaining({ code: 'bad_request' }));
  });
});
