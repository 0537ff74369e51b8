import { describe, expect, it, vi } from 'vitest';
import {
  cached,
  contents,
  listed,
  openSkills,
  skillOf,
  skillText,
} from '../../../../../testing/skill-world.ts';
import type { SkillScript, SkillWorld } from '../../../../../testing/skill-world.ts';
import { SkillVerificationError } from './skill-verification-error.ts';
import type { Skill } from './index.ts';

const ERAS = ['legacy', 'modern'] as const;
const ROOT = 'skill://acme/pdf';
const MAIN = `${ROOT}/SKILL.md`;
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]);
const FILES = {
  'references/FORMS.md': 'Formulare für Ämter 🎉\n',
  'logo.png': PNG,
  'a%20b.md': 'spaced',
  empty: '',
  'nested/pdf/SKILL.md': '---\nnot: [yaml\n---\n',
};
const SKILL = skillOf(ROOT, FILES);
const SERVED = {
  [MAIN]: skillText('pdf'),
  [`${ROOT}/unlisted.md`]: 'there all the same',
  ...Object.fromEntries(Object.entries(FILES).map(([path, content]) => [`${ROOT}/${path}`, content])),
};
const open = (script: SkillScript = {}): Promise<SkillWorld> => openSkills({ files: SERVED, ...script });
const SECRET = 'canary-7f3a';

async function refusal(promise: Promise<unknown>): Promise<SkillVerificationError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SkillVerificationError);
  expect(error).toMatchObject({ code: 'INVALID_RESULT' });
  expect(JSON.stringify([String(error), (error as SkillVerificationError).data])).not.toContain(SECRET);
  return error as SkillVerificationError;
}

describe.each(ERAS)('reading, %s', (era) => {
  it('ext-S18 gives the file with the bytes of its entry, text or not', async () => {
    const { skills } = await open({ era });
    const text = await skills.read(SKILL, 'references/FORMS.md');
    expect(text).toEqual({
      uri: `${ROOT}/references/FORMS.md`,
      bytes: new TextEncoder().encode(FILES['references/FORMS.md']),
      text: FILES['references/FORMS.md'],
      verified: true,
    });
    const image = await skills.read(SKILL, 'logo.png');
    expect(image).toEqual({ uri: `${ROOT}/logo.png`, bytes: PNG, verified: true });
    expect((await skills.read(SKILL, 'empty')).bytes).toHaveLength(0);
  });

  it('ext-S20 gives the skill’s own file with frontmatter and body', async () => {
    const { skills } = await open({ era });
    const expected = {
      uri: MAIN,
      text: skillText('pdf'),
      frontmatter: { name: 'pdf', description: 'About pdf' },
      body: '\nText\n',
      verified: true,
    };
    expect(await skills.read(SKILL)).toMatchObject(expected);
    expect(await skills.read(SKILL, 'SKILL.md#top')).toMatchObject(expected);
    expect(await skills.read(SKILL, MAIN)).toMatchObject(expected);
    const asBlob = { [MAIN]: new TextEncoder().encode(skillText('pdf')) };
    expect(await (await open({ era, files: asBlob })).skills.read(SKILL)).toMatchObject(expected);
  });

  it('ext-S16 refuses what the entry does not list before it asks for it', async () => {
    const resources = [{ uri: `${ROOT}/unlisted.md`, name: 'unlisted.md' }];
    const answers = { 'resources/directory/read': () => cached({ resources }) };
    const world = await open({ era, answers, declared: { directoryRead: true } });
    expect((await world.skills.readDirectory(ROOT)).resources).toEqual(resources);
    for (const reference of [
      'unlisted.md',
      `${ROOT}/unlisted.md`,
      '../other/x.md',
      'skill://evil/pdf/SKILL.md',
      '',
    ]) {
      const error = await refusal(world.skills.read(SKILL, reference));
      expect(error.reason, reference).toBe('unlisted');
    }
    expect(world.reads()).toEqual([]);
  });

  it('ext-S17 asks for files as their entry spells them', async () => {
    const odd: Skill = {
      ...SKILL,
      resources: [listed(`${ROOT}/%53KILL.md`, skillText('pdf')), listed(`${ROOT}/a%20b%2Dc.md`, 'x')],
    };
    const files = { [`${ROOT}/%53KILL.md`]: skillText('pdf'), [`${ROOT}/a%20b%2Dc.md`]: 'x' };
    const world = await open({ era, files });
    expect((await world.skills.read(odd, 'a b-c.md')).uri).toBe(`${ROOT}/a%20b%2Dc.md`);
    expect((await world.skills.read(odd, `${ROOT}/a%20b-c.md#x`)).uri).toBe(`${ROOT}/a%20b%2Dc.md`);
    expect((await world.skills.read(odd)).frontmatter).toEqual(SKILL.frontmatter);
    expect(new Set(world.reads())).toEqual(new Set(Object.keys(files)));
  });

  it('ext-S18 refuses another number of bytes without hashing them', async () => {
    const hash = vi.spyOn(crypto.subtle, 'digest');
    try {
      for (const content of ['', `${SECRET}`, `Formulare fur Amter 🎉\n`]) {
        const { skills } = await open({ era, files: { [`${ROOT}/references/FORMS.md`]: content } });
        const error = await refusal(skills.read(SKILL, 'references/FORMS.md'));
        expect([error.reason, error.uri]).toEqual(['size', `${ROOT}/references/FORMS.md`]);
      }
      expect(hash).not.toHaveBeenCalled();
    } finally {
      hash.mockRestore();
    }
  });

  it('ext-S18 refuses other bytes of the same number', async () => {
    const changed = PNG.with(3, 0);
    const { skills } = await open({
      era,
      files: { [`${ROOT}/logo.png`]: changed, [MAIN]: skillText('pdf', '', 'Tex!\n') },
    });
    expect((await refusal(skills.read(SKILL, 'logo.png'))).reason).toBe('digest');
    expect((await refusal(skills.read(SKILL))).reason).toBe('digest');
  });

  it('ext-S19 takes no answer about something else', async () => {
    const content = { uri: MAIN, text: skillText('pdf') };
    const answers: unknown[] = [
      {},
      { contents: [] },
      { contents: [{ ...content, uri: `${ROOT}/logo.png` }] },
      { contents: [{ uri: MAIN }] },
      { contents: [{ uri: MAIN, blob: 'no base64!' }] },
    ];
    for (const answer of answers) {
      const { skills } = await open({ era, answers: { 'resources/read': () => answer } });
      const error = await skills.read(SKILL).catch((thrown: unknown) => thrown);
      expect(error, JSON.stringify(answer)).toMatchObject({ code: 'INVALID_RESULT' });
      expect(error).not.toBeInstanceOf(SkillVerificationError);
    }
    const aside = { uri: `${ROOT}/logo.png`, text: 'aside' };
    const other = { contents: [aside, { ...content, uri: 'skill://acme/pdf/%53KILL.md' }] };
    const { skills } = await open({ era, answers: { 'resources/read': () => other } });
    expect((await skills.read(SKILL)).verified).toBe(true);
  });

  it('ext-S20 refuses a skill whose frontmatter is not that of its entry', async () => {
    const table: [string, string[]][] = [
      [skillText('other'), ['"name" differs', '"description" differs']],
      [skillText('pdf', `allowed-tools: ${SECRET}\n`), ['"allowed-tools" is not in the entry']],
      ['---\nname: pdf\n---\n', ['"description" is not in the file']],
      ['no frontmatter', [expect.any(String) as unknown as string]],
      [`---\nname: [${SECRET}\n---\n`, [expect.any(String) as unknown as string]],
    ];
    for (const [text, differences] of table) {
      for (const kind of ['listed', 'dynamic']) {
        const resources = kind === 'dynamic' ? ('dynamic' as const) : [listed(MAIN, text)];
        const { skills } = await open({ era, files: { [MAIN]: text } });
        const error = await refusal(skills.read({ ...SKILL, resources }));
        expect([error.reason, error.differences], text).toEqual(['frontmatter', differences]);
      }
    }
    const binary = new Uint8Array([0xff, 0xfe]);
    const { skills } = await open({ era, files: { [MAIN]: binary } });
    expect((await refusal(skills.read({ ...SKILL, resources: 'dynamic' }))).reason).toBe('frontmatter');
  });

  it('ext-S21 reads the SKILL.md of a nested skill as any other file', async () => {
    const { skills } = await open({ era });
    const nested = await skills.read(SKILL, 'nested/pdf/SKILL.md');
    expect(nested).toMatchObject({ text: FILES['nested/pdf/SKILL.md'], verified: true });
    expect(nested).not.toHaveProperty('frontmatter');
    expect(nested).not.toHaveProperty('body');
  });

  it('ext-S22 reads dynamic skills unchecked, within their folder', async () => {
    const dynamic: Skill = { ...SKILL, resources: 'dynamic' };
    const world = await open({ era });
    expect(await world.skills.read(dynamic)).toMatchObject({
      verified: false,
      frontmatter: SKILL.frontmatter,
    });
    expect(await world.skills.read(dynamic, 'unlisted.md')).toMatchObject({
      verified: false,
      text: 'there all the same',
    });
    expect((await world.skills.read(dynamic, 'a b.md')).uri).toBe(`${ROOT}/a%20b.md`);
    const before = world.reads().length;
    for (const reference of ['../other/x', 'skill://evil/x', 'a/../../x', '/x']) {
      expect((await refusal(world.skills.read(dynamic, reference))).reason).toBe('unlisted');
    }
    expect(world.reads()).toHaveLength(before);
  });

  it('ext-S8 is refused for what is no entry, before anything is asked', async () => {
    const world = await open({ era });
    const broken = [
      { ...SKILL, resources: undefined },
      { ...SKILL, uri: 'skill://acme/other/SKILL.md' },
      null,
    ];
    for (const entry of broken) await expect(world.skills.read(entry as never)).rejects.toThrow(TypeError);
    expect(world.reads()).toEqual([]);
  });

  it('ext-S9 takes skills up to the limits and says why it takes no larger one', async () => {
    const many = (files: number): Skill => {
      const rest = Array.from({ length: files - 1 }, (_, index) => listed(`${ROOT}/${String(index)}`, ''));
      return { ...SKILL, resources: [listed(MAIN, skillText('pdf')), ...rest] };
    };
    const mainSize = skillText('pdf').length;
    const large = (bytes: number): Skill => ({
      ...SKILL,
      resources: [listed(MAIN, skillText('pdf')), { ...listed(`${ROOT}/x`, ''), size: bytes - mainSize }],
    });
    const limit = 16 * 1024 * 1024;
    const world = await open({ era });
    expect((await world.skills.read(many(512))).verified).toBe(true);
    expect((await world.skills.read(large(limit))).verified).toBe(true);
    const before = world.reads().length;
    const files = await refusal(world.skills.read(many(513)));
    expect([files.reason, files.message]).toEqual(['limits', expect.stringMatching(/513 files.* 512 /)]);
    const bytes = await refusal(world.skills.read(large(limit + 1)));
    expect([bytes.reason, bytes.message]).toEqual([
      'limits',
      expect.stringMatching(/16777217 bytes.* 16777216 /),
    ]);
    expect(world.reads()).toHaveLength(before);
    const raised = await open({ era, options: { limits: { files: 513, bytes: limit + 1 } } });
    expect((await raised.skills.read(many(513))).verified).toBe(true);
    expect((await raised.skills.read(large(limit + 1))).verified).toBe(true);
    const lowered = await open({ era, options: { limits: { bytes: mainSize - 1 } } });
    const dynamic = await refusal(lowered.skills.read({ ...SKILL, resources: 'dynamic' }));
    expect(dynamic.reason).toBe('limits');
  });

  it('ext-S9 lists what it would not read', async () => {
    const huge = { ...SKILL, resources: [{ ...listed(MAIN, ''), size: 2 ** 40 }] };
    const { skills } = await open({ era, answers: { 'skills/list': () => cached({ skills: [huge] }) } });
    expect((await skills.list()).skills).toEqual([huge]);
  });

  it('ext-S10 asks only the server that the skill is from', async () => {
    const mine = await open({ era });
    const text = skillText('pdf', '', 'Other\n');
    const other = await open({ era, files: { [MAIN]: text } });
    const theirs = { ...SKILL, resources: [listed(MAIN, text)] };
    expect((await mine.skills.read(SKILL)).body).toBe('\nText\n');
    expect((await other.skills.read(theirs)).body).toBe('\nOther\n');
    expect((await refusal(other.skills.read(SKILL))).reason).toBe('size');
    expect([mine.reads().length, other.reads().length]).toEqual([1, 2]);
  });

  it('ext-S26 leaves frontmatter to a reader of one’s own', async () => {
    const seen: string[] = [];
    const text = '\uFEFF---\r\nname: pdf\r\ndescription: About pdf\r\n---\r\nText';
    const skill = { ...SKILL, resources: [listed(MAIN, text)] };
    const reading = await open({
      era,
      files: { [MAIN]: text },
      options: {
        parseFrontmatter: (yaml) => {
          seen.push(yaml);
          return { ...SKILL.frontmatter };
        },
      },
    });
    expect((await reading.skills.read(skill)).frontmatter).toEqual(SKILL.frontmatter);
    expect(seen).toEqual(['name: pdf\ndescription: About pdf\n']);
    const failing = [
      () => {
        throw new RangeError('no');
      },
      () => 'text' as never,
      () => ({ name: 'other' }),
    ];
    for (const parseFrontmatter of failing) {
      const { skills } = await open({ era, files: { [MAIN]: text }, options: { parseFrontmatter } });
      expect((await refusal(skills.read(skill))).reason).toBe('frontmatter');
    }
  });
});

describe('the client’s cache', () => {
  const kept = (uri: string, text: string): object => ({
    ...contents(uri, text),
    ttlMs: 60_000,
    cacheScope: 'private',
  });

  it('ext-S23 is passed by once when what it holds does not fit', async () => {
    const state = { text: skillText('pdf', '', 'Old\n') };
    const world = await open({ answers: { 'resources/read': ({ uri }) => kept(String(uri), state.text) } });
    const old = { ...SKILL, resources: [listed(MAIN, state.text)] };
    await world.skills.read(old);
    await world.skills.read(old);
    expect(world.reads()).toHaveLength(1);
    state.text = skillText('pdf', '', 'Newer\n');
    const current = { ...SKILL, resources: [listed(MAIN, state.text)] };
    expect((await world.skills.read(current)).body).toBe('\nNewer\n');
    expect(world.reads()).toHaveLength(2);
    await refusal(world.skills.read(old));
    expect(world.reads()).toHaveLength(3);
  });

  it('ext-S23 is not asked about a file that came from the server itself', async () => {
    const world = await open({ answers: { 'resources/read': ({ uri }) => kept(String(uri), 'wrong') } });
    await refusal(world.skills.read(SKILL));
    expect(world.reads()).toHaveLength(1);
    const told: string[] = [];
    await refusal(world.skills.read(SKILL, undefined, { oncached: () => told.push('cached') }));
    expect([world.reads().length, told.length]).toEqual([2, 1]);
    await refusal(world.skills.read(SKILL, undefined, { cacheMode: 'bypass' }));
    expect(world.reads()).toHaveLength(3);
  });
});
