import { describe, expect, it } from 'vitest';
import { frontmatterDifferences, readFrontmatter, splitSkillFile } from './frontmatter.ts';

const value = async (yaml: string): Promise<unknown> => {
  const read = await readFrontmatter(yaml);
  return 'value' in read ? read.value : `fault: ${read.fault}`;
};
const fault = expect.stringMatching(/^fault: /) as unknown;

describe('SKILL.md', () => {
  it('ext-S24 begins with a frontmatter between lines of hyphens', () => {
    expect(splitSkillFile('---\nname: a\n---\n\nText\n')).toEqual({ yaml: 'name: a\n', body: '\nText\n' });
    expect(splitSkillFile('\uFEFF---\r\nname: a\r\n---\r\nText\r\n')).toEqual({
      yaml: 'name: a\n',
      body: 'Text\r\n',
    });
    expect(splitSkillFile('--- \nname: a\n---\t')).toEqual({ yaml: 'name: a\n', body: '' });
    expect(splitSkillFile('---\nname: |\n ---\n --- a\n---\nx')).toEqual({
      yaml: 'name: |\n ---\n --- a\n',
      body: 'x',
    });
    for (const text of [
      '',
      'name: a\n---\n',
      '\n---\nname: a\n---\n',
      '---',
      '---\nname: a\n',
      '----\na: 1\n----\n',
      ' ---\na: 1\n---\n',
    ]) {
      expect(splitSkillFile(text), JSON.stringify(text)).toEqual(expect.any(String));
    }
  });

  it('ext-S24 is read with the types of the core schema', async () => {
    const yaml = [
      'text: yes',
      'date: 2026-07-28',
      'yes: true',
      'none: ~',
      'whole: 12',
      'hex: 0x1F',
      'part: 1.5e3',
      'octal: 012',
      'quoted: "1\\n"',
      'flow: [a, {b: null}]',
      'block:',
      '  - one',
      '  - two: 2',
      'folded: >-',
      '  a',
      '  b',
      '<<: {a: 1}',
    ].join('\n');
    expect(await value(yaml)).toEqual({
      text: 'yes',
      date: '2026-07-28',
      yes: true,
      none: null,
      whole: 12,
      hex: 31,
      part: 1500,
      octal: 12,
      quoted: '1\n',
      flow: ['a', { b: null }],
      block: ['one', { two: 2 }],
      folded: 'a b',
      '<<': { a: 1 },
    });
  });

  it('ext-S24 has one mapping of texts to what JSON has', async () => {
    for (const yaml of [
      '',
      '# only a comment',
      '- a',
      'text',
      '1: x',
      'null: x',
      '? [a]\n: b',
      'a: .nan',
      'a: .inf',
      'a: 1e999',
      'a: 1\n--- b: 2',
      'a: 1\n...\nb: 2',
      '%YAML 1.1\n---\na: yes',
      'a: "open',
      '\ta: 1',
      'a: b: c',
    ]) {
      expect(await value(yaml), JSON.stringify(yaml)).toEqual(fault);
    }
  });

  it('ext-S25 is bounded, and has nothing that makes small texts large', async () => {
    const long = `---\na: ${'x'.repeat(16 * 1024)}\n---\n`;
    expect(splitSkillFile(long)).toContain('16 KiB');
    expect(splitSkillFile(long.replace('x'.repeat(8), ''))).toEqual(expect.any(Object));
    const bomb = 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]';
    for (const yaml of [
      bomb,
      'a: &x 1',
      'a: *x',
      'a: !!str 1',
      'a: !own {}',
      '!!map {a: 1}',
      'a: 1\na: 2',
      'a: {b: 1, b: 2}',
    ]) {
      expect(await value(yaml), yaml).toEqual(fault);
    }
    const nested = (levels: number): string => `a: ${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(await value(nested(32))).toEqual({ a: expect.any(Array) as unknown });
    expect(await value(nested(33))).toEqual(fault);
    expect(await value(nested(8000))).toEqual(fault);
    expect(await value(`a: [${'{b: ['.repeat(3000)}`)).toEqual(fault);
    for (const step of ['- ', '? ', '-\t', ': ', '? &a ', '? !t ', '- "x": ', '[\n', '{a: [\n', '[? \n'])
      expect(await value(step.repeat(3000)), step).toBe('fault: the frontmatter is nested too deeply');
    const block = Array.from({ length: 350 }, (_, level) => `${' '.repeat(level)}a:`);
    expect(await value(block.join('\n'))).toEqual(fault);
  });

  it('ext-S25 takes names of prototypes for plain data', async () => {
    const read = await value('__proto__: {polluted: 1}\nconstructor: c\ntoString: t');
    expect(Object.keys(read as object)).toEqual(['__proto__', 'constructor', 'toString']);
    expect((read as { polluted?: unknown }).polluted).toBeUndefined();
    const parsed = JSON.parse(
      '{"__proto__": {"polluted": 1}, "constructor": "c", "toString": "t"}',
    ) as object;
    expect(
      frontmatterDifferences(read as Record<string, unknown>, parsed as Record<string, unknown>),
    ).toEqual([]);
  });

  it('ext-S20 differs from its entry by fields, in depth and in any order', () => {
    const entry = { name: 'a', list: [1, { b: null }], deep: { x: 1, y: 2 } };
    expect(
      frontmatterDifferences({ deep: { y: 2, x: 1 }, list: [1, { b: null }], name: 'a' }, entry),
    ).toEqual([]);
    const file = { name: 'A', list: [1, {}], extra: true };
    expect(frontmatterDifferences(file, entry)).toEqual([
      '"name" differs',
      '"list" differs',
      '"deep" is not in the file',
      '"extra" is not in the entry',
    ]);
    const pairs: [unknown, unknown][] = [
      [1, '1'],
      [null, undefined],
      [[], {}],
      [
        [1, 2],
        [2, 1],
      ],
      [{ a: 1 }, { a: 1, b: 1 }],
      [{ toString: 1 }, {}],
    ];
    for (const [one, other] of pairs) {
      expect(frontmatterDifferences({ k: one }, { k: other }), JSON.stringify([one, other])).toEqual([
        '"k" differs',
      ]);
    }
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`k${String(index)}`.repeat(100), 1]),
    );
    const told = frontmatterDifferences(many, {});
    expect(told).toHaveLength(50);
    expect(told.every((line) => line.length < 200)).toBe(true);
  });
});
