import { describe, expect, it } from 'vitest';
import { isSkillName, skillFault } from './skill-fault.ts';
import { resolveReference, skillPlaceOf, uriKey } from './skill-uri.ts';

const DIGEST = `sha256:${'0a'.repeat(32)}`;
const ROOT = 'skill://acme/refunds';
const file = (uri: string, more: object = {}): object => ({ uri, digest: DIGEST, size: 3, ...more });
const entry = (more: object = {}): Record<string, unknown> => ({
  uri: `${ROOT}/SKILL.md`,
  frontmatter: { name: 'refunds', description: 'Gives money back' },
  resources: [file(`${ROOT}/SKILL.md`), file(`${ROOT}/examples/email.md`)],
  ...more,
});
const named = (name: string, uri = `skill://${name}/SKILL.md`): Record<string, unknown> =>
  entry({ uri, frontmatter: { name, description: 'd' }, resources: 'dynamic' });
const withFiles = (...files: object[]): Record<string, unknown> =>
  entry({ resources: [file(`${ROOT}/SKILL.md`), ...files] });

describe('entries', () => {
  it('ext-S5 have a uri, a frontmatter with name and description, and resources', () => {
    expect(skillFault(entry())).toBeUndefined();
    expect(skillFault(entry({ resources: 'dynamic' }))).toBeUndefined();
    expect(
      skillFault(
        entry({
          more: 1,
          _meta: {},
          frontmatter: { name: 'refunds', description: '🎉'.repeat(1024), x: [] },
        }),
      ),
    ).toBeUndefined();
    const broken = [
      undefined,
      [],
      'skill',
      entry({ uri: undefined }),
      entry({ uri: 7 }),
      entry({ frontmatter: undefined }),
      entry({ frontmatter: [] }),
      entry({ frontmatter: { description: 'd' } }),
      entry({ frontmatter: { name: 'refunds' } }),
      entry({ frontmatter: { name: 'refunds', description: 5 } }),
      entry({ frontmatter: { name: 'refunds', description: ' ' } }),
      entry({ frontmatter: { name: 'refunds', description: 'x'.repeat(1025) } }),
      entry({ resources: undefined }),
      entry({ resources: null }),
      entry({ resources: {} }),
      entry({ resources: 'Dynamic' }),
      entry({ resources: [null] }),
    ];
    for (const each of broken) expect(skillFault(each), JSON.stringify(each)).toEqual(expect.any(String));
  });

  it('ext-S6 are named by the folder of their SKILL.md, under any scheme', () => {
    for (const uri of [
      'skill://refunds/SKILL.md',
      'skill://acme/billing/refunds/SKILL.md',
      'github://owner/repo/skills/refunds/SKILL.md',
      'https://example.test:8443/refunds/SKILL.md',
      'file:///srv/refunds/SKILL.md',
      'skill:refunds/SKILL.md',
    ]) {
      expect(skillFault(named('refunds', uri)), uri).toBeUndefined();
    }
    for (const uri of [
      'skill://refunds',
      'skill://refunds/',
      'skill://refunds/skill.md',
      'skill://refunds/other/SKILL.md',
      'skill://SKILL.md',
      'skill://Refunds/SKILL.md',
      'skill://refunds/SKILL.md/',
      'skill://refunds/SKILL.md#x',
      'skill://refunds/SKILL.md?x',
      'skill://a/../refunds/SKILL.md',
      '/refunds/SKILL.md',
      'refunds',
    ]) {
      expect(skillFault(named('refunds', uri)), uri).toEqual(expect.any(String));
    }
  });

  it('ext-S6 have names of 1 to 64 small letters, digits and single hyphens inside', () => {
    const good = ['a', '7', 'a-b', 'pdf-processing', 'a1-b2-c3', 'x'.repeat(64)];
    const bad = ['', '-a', 'a-', 'a--b', 'A', 'a_b', 'a b', 'ä', 'a.b', 'x'.repeat(65)];
    expect(good.filter((name) => !isSkillName(name))).toEqual([]);
    expect(bad.filter(isSkillName)).toEqual([]);
    expect(skillFault(named('a_b'))).toContain('no name');
    expect(skillFault(named('a-b'))).toBeUndefined();
  });

  it('ext-S7 list each file of the skill once, with digest and size', () => {
    expect(skillFault(withFiles(file(`${ROOT}/nested/refunds/SKILL.md`)))).toBeUndefined();
    expect(
      skillFault(withFiles(file(`${ROOT}/%C3%BC%20b.md`), file(`${ROOT}/empty`, { size: 0 }))),
    ).toBeUndefined();
    const outside = [
      'skill://acme/other/x.md',
      'skill://acme/refunds',
      'skill://acme/refunds-2/x.md',
      'skill://evil/refunds/x.md',
      'github://acme/refunds/x.md',
      `${ROOT}/../other/x.md`,
      `${ROOT}/%2e%2e/other/x.md`,
      `${ROOT}/a%2Fb.md`,
      `${ROOT}/a%5Cb.md`,
      `${ROOT}/a\\b.md`,
      `${ROOT}/a%00.md`,
      `${ROOT}/a%ZZ.md`,
      `${ROOT}/a%FF.md`,
      `${ROOT}//x.md`,
      `${ROOT}/folder/`,
      `${ROOT}/x.md?y`,
      `${ROOT}/x.md#y`,
    ];
    for (const uri of outside) {
      expect(skillFault(withFiles(file(uri))), uri).toBe('its file #2 is not inside its folder');
    }
    expect(skillFault(withFiles(file(`${ROOT}/SKILL.md`)))).toBe('its file #2 is listed twice');
    expect(skillFault(withFiles(file(`${ROOT}/a-b`), file(`${ROOT}/a%2Db`)))).toBe(
      'its file #3 is listed twice',
    );
    expect(skillFault(entry({ resources: [file(`${ROOT}/other.md`)] }))).toContain('do not include');
    expect(skillFault(entry({ resources: [] }))).toContain('do not include');
    for (const digest of [
      undefined,
      '',
      DIGEST.toUpperCase(),
      `sha256:${'0'.repeat(63)}`,
      `sha512:${'0'.repeat(64)}`,
      `${DIGEST}0`,
    ]) {
      expect(skillFault(withFiles(file(`${ROOT}/x`, { digest }))), digest).toContain('no SHA-256 digest');
    }
    for (const size of [undefined, -1, 1.5, '3', 2 ** 53, Number.NaN]) {
      expect(skillFault(withFiles(file(`${ROOT}/x`, { size }))), String(size)).toContain('no size');
    }
  });
});

describe('references', () => {
  const place = skillPlaceOf('skill://acme/refunds/SKILL.md')!;
  const keys = (reference: string): string[] => resolveReference(place, reference).map(({ key }) => key);

  it('ext-S17 are paths from the folder of the skill, or URIs inside it', () => {
    expect(keys('references/FORMS.md')[0]).toBe('skill://acme/refunds/references/FORMS.md');
    expect(keys('./a/./b.md#part')[0]).toBe('skill://acme/refunds/a/b.md');
    expect(keys('a/../b.md')[0]).toBe('skill://acme/refunds/b.md');
    expect(keys('%C3%BC b.md')[0]).toBe('skill://acme/refunds/%C3%BC%20b.md');
    expect(keys('100%25.md')).toContain('skill://acme/refunds/100%25.md');
    expect(new Set(keys('100%.md'))).toEqual(new Set(['skill://acme/refunds/100%25.md']));
    expect(keys('what?.md')[0]).toBe('skill://acme/refunds/what%3F.md');
    expect(keys('skill://acme/refunds/x%2Dy.md#z')).toEqual(['skill://acme/refunds/x-y.md']);
  });

  it('ext-S17 never lead out of the folder', () => {
    for (const reference of [
      '../other/SKILL.md',
      'a/../../x',
      '/etc/passwd',
      '..',
      '.',
      '',
      '#part',
      'a\\..\\b',
      '%2e%2e/x',
      'a%2Fb',
      'a/%2e%2e/%2e%2e/x',
      'a%5Cb',
      'a%00',
      'a//b',
      'folder/',
      '\u0000',
      'skill://acme/other/x.md',
      'skill://acme/refunds',
      'skill://acme/refunds/../other/x.md',
      'skill://acme/refunds/%2e%2e/other/x.md',
      'github://acme/refunds/x.md',
      'skill://acme/refunds/x.md?y',
    ]) {
      expect(keys(reference), reference).toEqual([]);
    }
  });

  it('ext-S17 are compared in one spelling', () => {
    expect(uriKey('SKILL://acme/refunds/%53KILL.md')).toBe('skill://acme/refunds/SKILL.md');
    expect(uriKey("skill://acme/a'b/c%28d%29.md")).toBe(uriKey('skill://acme/a%27b/c(d).md'));
    expect(uriKey('skill://acme/\uD800')).toBeUndefined();
  });
});
