import { describe, expect, it } from 'vitest';
import { PROFILES } from '../profiles.ts';
import { selectAppTools } from './app-tools.ts';

const LIMITS = PROFILES.claude.appTools;
const tool = (name: unknown, inputSchema: unknown = { type: 'object' }) => ({
  name,
  description: 'd',
  inputSchema,
});
const names = (listed: unknown): string[] => selectAppTools(listed, LIMITS).tools.map(({ name }) => name);
const rules = (listed: unknown): string[] =>
  selectAppTools(listed, LIMITS).refusals.map(({ ruleId }) => ruleId);
const many = (count: number) => Array.from({ length: count }, (_item, index) => tool(`t${index}`));
const nested = (levels: number): unknown => {
  let schema: unknown = {};
  for (let level = 2; level < levels; level++) schema = { a: schema };
  return { type: 'object', properties: schema };
};

describe('selectAppTools', () => {
  it('takes 64 tools and none of 65', () => {
    expect(names(many(64))).toHaveLength(64);
    expect(names(many(65))).toEqual([]);
    expect(rules(many(65))).toEqual(['apps-A30']);
  });

  it('takes no tool of a list above 1 MiB', () => {
    const filler = (length: number) => [tool('a', { type: 'object', description: 'x'.repeat(length) })];
    const overhead = JSON.stringify(filler(0)).length;
    expect(names(filler(1_048_576 - overhead))).toEqual(['a']);
    expect(rules(filler(1_048_577 - overhead))).toEqual(['apps-A31']);
  });

  it.each(['with space', 'ünicode', 'a/b', '', 5])(
    'leaves out the name %j and keeps its siblings',
    (name) => {
      expect(names([tool('good'), tool(name)])).toEqual(['good']);
      expect(rules([tool(name)])).toEqual(['apps-A32']);
    },
  );

  it('takes a name of 128 characters and leaves out one of 129', () => {
    expect(names([tool('n'.repeat(128)), tool('n'.repeat(129))])).toEqual(['n'.repeat(128)]);
  });

  it('leaves out every tool of a repeated name', () => {
    expect(names([tool('a'), tool('b'), tool('a')])).toEqual(['b']);
  });

  it.each([undefined, null, {}, { type: 'string' }, []])('takes none when a schema is %j', (schema) => {
    expect(names([tool('good'), { name: 'bad', inputSchema: schema }])).toEqual([]);
  });

  it('replaces a schema that is too large or too deep, and says so', () => {
    const [large, deep, good] = selectAppTools(
      [
        tool('large', { type: 'object', title: 'x'.repeat(65_537) }),
        tool('deep', nested(33)),
        tool('good', nested(32)),
      ],
      LIMITS,
    ).tools;
    expect(large).toMatchObject({ schemaReplaced: true, inputSchema: { type: 'object' } });
    expect(deep).toMatchObject({ schemaReplaced: true });
    expect(good).toMatchObject({ schemaReplaced: false, inputSchema: nested(32) });
  });

  it.each([undefined, {}, 'x', null])('takes nothing from the answer %j', (listed) => {
    expect(rules(listed)).toEqual(['apps-A50']);
  });
});
