import * as ourClient from '@portico/client/ext/skills';
import * as ourServer from '@portico/server/ext/skills';
import * as ourNode from '@portico/server/ext/skills/node';
import * as officialClient from '@modelcontextprotocol/client/ext/skills';
import * as officialServer from '@modelcontextprotocol/server/ext/skills';
import * as officialNode from '@modelcontextprotocol/server/ext/skills/node';
import { SdkError } from '@portico/client';
import { describe, expect, it } from 'vitest';

const kindOf = (value: unknown): string =>
  typeof value !== 'function' ? JSON.stringify(value) : /^class\b/.test(String(value)) ? 'class' : 'function';
const kinds = (module: object): Record<string, string> =>
  Object.fromEntries(Object.entries(module).map(([name, value]) => [name, kindOf(value)]));
const membersOf = (type: unknown): string[] => {
  const { prototype } = type as { prototype: object };
  return Object.getOwnPropertyNames(prototype).toSorted();
};

describe('the entries of skills', () => {
  it.each([
    ['client/ext/skills', ourClient, officialClient],
    ['server/ext/skills', ourServer, officialServer],
    ['server/ext/skills/node', ourNode, officialNode],
  ] as const)('ext-S1 %s has the official names with the same kinds and values', (_entry, ours, official) => {
    expect(kinds(ours)).toEqual(kinds(official));
  });

  it('ext-S1 have classes with the official members', () => {
    const pairs: [unknown, unknown][] = [
      [ourClient.SkillsClient, officialClient.SkillsClient],
      [ourServer.SkillsExtension, officialServer.SkillsExtension],
      [ourServer.SkillCatalog, officialServer.SkillCatalog],
    ];
    for (const [ours, official] of pairs) expect(membersOf(ours)).toEqual(membersOf(official));
  });

  it('ext-S1 have errors that are recognised by their class, and made alike', () => {
    const cause = new TypeError('why');
    const args = ['frontmatter', 'skill://a/SKILL.md', 'no', ['line'], { cause }] as const;
    const [ours, official] = [
      new ourClient.SkillVerificationError(...args),
      new officialClient.SkillVerificationError(...args),
    ];
    const seen = (error: typeof ours | typeof official): unknown => {
      const { name, code, reason, uri, differences, message, data } = error;
      return { name, code, reason, uri, differences, message, data, cause: error.cause };
    };
    expect(seen(ours)).toEqual(seen(official));
    expect(ours).toBeInstanceOf(SdkError);
    expect(ourClient.SkillVerificationError.isInstance(ours)).toBe(true);
    expect(ourClient.SkillVerificationError.isInstance(new SdkError('INVALID_RESULT'))).toBe(false);
    const problems = [{ path: 'a', message: 'no' }];
    expect(new ourServer.SkillCatalogError(problems)).toMatchObject({ name: 'SkillCatalogError', problems });
    expect(new officialServer.SkillCatalogError(problems)).toMatchObject({
      name: 'SkillCatalogError',
      problems,
    });
  });
});
