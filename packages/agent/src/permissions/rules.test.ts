import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsPattern, parseRule, ruleMatches } from './rules.ts';
import type { RuleSubject } from './rules.ts';

const subject = (server: string, tool: string, name = `mcp__${server}__${tool}`): RuleSubject => ({
  name,
  ownName: `mcp__${server}__${tool}`,
  server,
  tool,
});

describe('rules', () => {
  it('G72 reads Tool, Tool() and Tool(*) as every call, case-sensitively', () => {
    expect(['Bash', 'Bash()', 'Bash(*)', ' Bash '].map(parseRule)).toEqual(
      Array.from({ length: 4 }, () => ({ toolName: 'Bash' })),
    );
    expect(parseRule('Bash(rm:*)')).toEqual({ toolName: 'Bash', ruleContent: 'rm:*' });
    expect(['', '(x)', 'a b', 'Bash(', 'Bash)x('].map(parseRule)).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
    expect(ruleMatches({ toolName: 'mcp__FS' }, subject('fs', 'read'))).toBe(false);
  });

  it('G87 matches a server by each of its names, a star in a tool name, and no other server', () => {
    const adapted = subject('my server.io', 'read.all', 'mcp__my_server_io__read_all-x0123456789');
    const matching = [
      'mcp__*',
      'mcp__my server.io',
      'mcp__my server.io__*',
      'mcp__my_server_io',
      'mcp__my_server_io__*',
      'mcp__my server.io__read.all',
      'mcp__my_server_io__read_all',
      'mcp__my_server_io__r*_all',
      'mcp__my_server_io__read_all-x0123456789',
    ];
    expect(matching.filter((toolName) => !ruleMatches({ toolName }, adapted))).toEqual([]);
    const others = [
      'mcp__my',
      'mcp__my_server_io2',
      'mcp__my_server_io2__*',
      'mcp__my*',
      'mcp__*__read_all',
      'mcp',
      '*',
    ];
    expect(others.filter((toolName) => ruleMatches({ toolName }, adapted))).toEqual([]);
    expect(ruleMatches({ toolName: 'mcp__fs', ruleContent: '/etc' }, subject('fs', 'read'))).toBe(false);
  });

  it('fits patterns as a regular expression would', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (text, pattern) => {
        const plain = text.replaceAll('*', 'c');
        const expression = new RegExp(`^${pattern.split('*').join('.*')}$`);
        expect(fitsPattern(plain, pattern)).toBe(expression.test(plain));
      }),
    );
  });
});
