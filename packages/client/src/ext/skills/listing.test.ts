import { ProtocolError } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { SKILLS_ID, cached, openSkills, skillOf, skillText } from '../../../../../testing/skill-world.ts';
import type { SkillScript, SkillWorld } from '../../../../../testing/skill-world.ts';
import { Client } from '../../client.ts';
import { SkillsClient } from './skills-client.ts';

const ERAS = ['legacy', 'modern'] as const;
const GIT = skillOf('skill://git');
const PDF = skillOf('skill://acme/pdf', { 'a.md': 'a' });

/** Answers a method page by page; the cursor is the number of the page. */
const pages =
  (member: string, all: readonly (readonly unknown[])[]) =>
  ({ cursor }: Record<string, unknown>): Record<string, unknown> => {
    const index = cursor === undefined ? 0 : Number(cursor);
    const next = index + 1 < all.length ? { nextCursor: String(index + 1) } : {};
    return {
      [member]: all[index],
      ...next,
      ttlMs: 100 * (index + 1),
      cacheScope: index === 0 ? 'public' : 'private',
    };
  };
const listing = (all: readonly (readonly unknown[])[], script: SkillScript = {}): Promise<SkillWorld> =>
  openSkills({ ...script, answers: { 'skills/list': pages('skills', all), ...script.answers } });
const sent = ({ server }: SkillWorld): string[] =>
  server.requests.filter((method) => !['initialize', 'server/discover'].includes(method));

describe.each(ERAS)('skills of a %s server', (era) => {
  it('ext-S3 are asked for only when they are declared', async () => {
    const extensions = [
      undefined,
      {},
      ...[null, true, 'yes', 1, []].map((value) => ({ [SKILLS_ID]: value })),
    ];
    for (const each of extensions) {
      const world = await openSkills({ era, extensions: each });
      const { skills } = world;
      expect(skills.supported, JSON.stringify(each)).toBe(false);
      expect(await skills.list()).toEqual({ skills: [], invalid: [] });
      const refused = { code: 'CAPABILITY_NOT_SUPPORTED' };
      await expect(skills.get('skill://git/SKILL.md')).rejects.toMatchObject(refused);
      await expect(skills.read(GIT)).rejects.toMatchObject(refused);
      await expect(skills.readDirectory('skill://git')).rejects.toMatchObject(refused);
      expect(sent(world)).toEqual([]);
    }
    const { skills } = await openSkills({ era, declared: { more: 1 } });
    expect(skills.supported).toBe(true);
  });

  it('ext-S4 have folders only when exactly that is declared', async () => {
    for (const directoryRead of [undefined, false, 'true', 1, null]) {
      const world = await openSkills({ era, declared: { directoryRead } });
      expect(world.skills.directoryRead).toBe(false);
      await expect(world.skills.readDirectory('skill://git')).rejects.toMatchObject({
        code: 'CAPABILITY_NOT_SUPPORTED',
      });
      expect(sent(world)).toEqual([]);
    }
    const world = await openSkills({
      era,
      declared: { directoryRead: true },
      answers: { 'resources/directory/read': () => cached({ resources: [] }) },
    });
    expect(world.skills.directoryRead).toBe(true);
    expect((await world.skills.readDirectory('skill://git')).resources).toEqual([]);
    expect(sent(world)).toEqual(['resources/directory/read']);
  });

  it('ext-S11 are read page by page, or one page alone', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => skillOf(`skill://${name}`));
    const world = await listing([[one], [two], [three]], { era });
    expect((await world.skills.list()).skills).toEqual([one, two, three]);
    expect(await world.skills.list()).not.toHaveProperty('nextCursor');
    expect(await world.skills.list({ cursor: '1' })).toMatchObject({ skills: [two], nextCursor: '2' });
    expect(await world.skills.list({ cursor: '2' })).not.toHaveProperty('nextCursor');
    expect(world.server.messages.at(-1)?.params).toMatchObject({ cursor: '2' });
  });

  it('ext-S11 end in an error when there is no end of pages', async () => {
    let page = 0;
    const answers = {
      'skills/list': () => cached({ skills: [], nextCursor: String((page += 1)) }),
      'resources/directory/read': () => cached({ resources: [], nextCursor: String((page += 1)) }),
    };
    const world = await openSkills({
      era,
      answers,
      declared: { directoryRead: true },
      clientOptions: { listMaxPages: 3 },
    });
    await expect(world.skills.list()).rejects.toMatchObject({ code: 'LIST_PAGINATION_EXCEEDED' });
    expect(page).toBe(3);
    await expect(world.skills.readDirectory('skill://git')).rejects.toMatchObject({
      code: 'LIST_PAGINATION_EXCEEDED',
    });
    expect(page).toBe(6);
    const circle = await listing([[]], {
      era,
      answers: { 'skills/list': () => cached({ skills: [], nextCursor: 'same' }) },
    });
    await expect(circle.skills.list()).rejects.toMatchObject({ code: 'LIST_PAGINATION_EXCEEDED' });
  });

  it('ext-S8 are refused together when one of them is no entry, or sorted', async () => {
    const faulty = [GIT, { uri: 'skill://x/SKILL.md' }, PDF, null, skillOf('skill://A')];
    const strict = await listing([faulty], { era });
    const error = await strict.skills.list().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'INVALID_RESULT',
      data: { invalid: [{ index: 1, uri: 'skill://x/SKILL.md' }, { index: 3 }, { index: 4 }] },
    });
    expect(String(error)).toMatch(/#1 .*skill:\/\/x.*#3: .*#4 /);
    const lenient = await listing([faulty], { era, options: { skipInvalid: true } });
    const { skills, invalid } = await lenient.skills.list();
    expect(skills).toEqual([GIT, PDF]);
    expect(invalid).toEqual([
      { index: 1, uri: 'skill://x/SKILL.md', reason: 'it has no frontmatter' },
      { index: 3, reason: 'it is no object' },
      { index: 4, uri: 'skill://A/SKILL.md', reason: '"A" is no name of a skill' },
    ]);
  });

  it('ext-S11 are refused in all copies when they are there twice', async () => {
    const copy = { ...GIT, uri: 'skill://gi%74/SKILL.md' };
    const world = await listing([[GIT, PDF], [copy]], { era, options: { skipInvalid: true } });
    const { skills, invalid } = await world.skills.list();
    expect(skills).toEqual([PDF]);
    expect(invalid.map(({ index }) => index)).toEqual([0, 2]);
  });

  it('ext-S8 fail one by one when the entry is broken, or of another skill', async () => {
    for (const skill of [undefined, { ...GIT, resources: undefined }, PDF]) {
      const answers = { 'skills/get': () => cached({ skill }) };
      const { skills } = await openSkills({ era, answers });
      await expect(skills.get(GIT.uri)).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    }
    const { skills } = await openSkills({ era, answers: { 'skills/get': () => cached({ skill: GIT }) } });
    expect((await skills.get('skill://gi%74/SKILL.md')).skill).toEqual(GIT);
  });

  it('ext-S10 of one name are all kept', async () => {
    const twins = ['acme/billing', 'acme/support', 'refunds'].map((path) =>
      skillOf(`skill://${path}/refunds`),
    );
    const { skills } = await listing([twins], { era });
    expect((await skills.list()).skills).toEqual(twins);
  });

  it('ext-S13 are found by their URI, whatever the list says', async () => {
    const answers = {
      'skills/get': ({ uri }: Record<string, unknown>) => {
        if (uri !== GIT.uri) throw new ProtocolError(-32602, 'no such skill');
        return cached({ skill: GIT });
      },
    };
    const files = { [GIT.uri]: skillText('git') };
    const { skills } = await listing([[]], { era, answers, files });
    expect((await skills.list()).skills).toEqual([]);
    const { skill } = await skills.get(GIT.uri);
    expect((await skills.read(skill)).verified).toBe(true);
    await expect(skills.get('skill://other/SKILL.md')).rejects.toMatchObject({ code: -32602 });
  });

  it('ext-S14 have no file fetched before it is read', async () => {
    const answers = {
      'skills/get': () => cached({ skill: PDF }),
      'resources/directory/read': () =>
        cached({ resources: [{ uri: 'skill://acme/pdf/a.md', name: 'a.md' }] }),
    };
    const files = { [PDF.uri]: skillText('pdf'), 'skill://acme/pdf/a.md': 'a' };
    const world = await listing([[GIT, PDF]], { era, answers, files, declared: { directoryRead: true } });
    await world.skills.list();
    const { skill } = await world.skills.get(PDF.uri);
    await world.skills.readDirectory('skill://acme/pdf');
    expect(world.reads()).toEqual([]);
    await world.skills.read(skill);
    expect(world.reads()).toEqual([PDF.uri]);
    await world.skills.read(skill, 'a.md');
    expect(world.reads()).toEqual([PDF.uri, 'skill://acme/pdf/a.md']);
  });

  it('ext-S15 are no longer asked for once the signal fires, or the time is over', async () => {
    const aborted = AbortSignal.abort();
    const never = (): Promise<unknown> => new Promise(() => {});
    const answers = {
      'skills/list': never,
      'skills/get': never,
      'resources/read': never,
      'resources/directory/read': never,
    };
    const { skills, clock } = await openSkills({ era, answers, declared: { directoryRead: true } });
    const calls = [
      (options: object) => skills.list({}, options),
      (options: object) => skills.list({ cursor: 'x' }, options),
      (options: object) => skills.get(GIT.uri, options),
      (options: object) => skills.read(GIT, undefined, options),
      (options: object) => skills.readDirectory('skill://git', options),
    ];
    for (const call of calls) {
      await expect(call({ signal: aborted })).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
      const leaving = new AbortController();
      const given = call({ signal: leaving.signal });
      leaving.abort();
      await expect(given).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
      const late = call({ timeout: 50 }).then(
        () => 'answered',
        ({ code }: { code?: unknown }) => code,
      );
      await clock.advance(50);
      expect(await late).toBe('REQUEST_TIMEOUT');
    }
  });

  it('ext-S27 have folders that are read to their last page', async () => {
    const child = (name: string): object => ({
      uri: `skill://git/${name}`,
      name,
      mimeType: 'text/markdown',
      more: 1,
    });
    const answers = {
      'resources/directory/read': pages('resources', [[child('a'), child('b')], [child('c')]]),
    };
    const world = await openSkills({ era, answers, declared: { directoryRead: true } });
    const { resources } = await world.skills.readDirectory('skill://git');
    expect(resources).toEqual(['a', 'b', 'c'].map(child));
    expect(world.server.messages.map(({ params }) => params?.['uri']).slice(-2)).toEqual([
      'skill://git',
      'skill://git',
    ]);
    for (const broken of [{ name: 'a' }, { uri: 'skill://git/a' }, 'a']) {
      const other = { 'resources/directory/read': () => cached({ resources: [child('b'), broken] }) };
      const { skills } = await openSkills({ era, answers: other, declared: { directoryRead: true } });
      await expect(skills.readDirectory('skill://git')).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    }
  });
});

describe('caching fields', () => {
  const calls = {
    'skills/list': [(world: SkillWorld) => world.skills.list(), { skills: [] }],
    'skills/get': [(world: SkillWorld) => world.skills.get(GIT.uri), { skill: GIT }],
    'resources/directory/read': [
      (world: SkillWorld) => world.skills.readDirectory('skill://git'),
      { resources: [] },
    ],
  } as const;
  const methods = Object.keys(calls) as (keyof typeof calls)[];

  it.each(methods)('ext-S12 are needed in modern answers to %s, and not in legacy ones', async (method) => {
    const [call, result] = calls[method];
    const open = (era: 'legacy' | 'modern', fields: object): Promise<SkillWorld> =>
      openSkills({
        era,
        declared: { directoryRead: true },
        answers: { [method]: () => ({ ...result, ...fields }) },
      });
    const broken = [
      {},
      { ttlMs: 1 },
      { cacheScope: 'public' },
      { ttlMs: -1, cacheScope: 'public' },
      { ttlMs: '1', cacheScope: 'public' },
      { ttlMs: 1, cacheScope: 'all' },
    ];
    for (const fields of broken) {
      await expect(call(await open('modern', fields)), JSON.stringify(fields)).rejects.toMatchObject({
        code: 'INVALID_RESULT',
      });
      expect(await call(await open('legacy', fields))).not.toHaveProperty('ttlMs');
    }
    const good = { ttlMs: 7, cacheScope: 'public' };
    expect(await call(await open('modern', good))).toMatchObject(good);
  });

  it('ext-S12 of a walk are those of its first page, and all pages have some', async () => {
    const world = await listing([[GIT], [PDF]]);
    expect(await world.skills.list()).toMatchObject({ ttlMs: 100, cacheScope: 'public' });
    expect(await world.skills.list({ cursor: '1' })).toMatchObject({ ttlMs: 200, cacheScope: 'private' });
    const second = ({ cursor }: Record<string, unknown>): object =>
      cursor === undefined ? cached({ skills: [], nextCursor: 'x' }) : { skills: [] };
    const { skills } = await openSkills({ answers: { 'skills/list': second } });
    await expect(skills.list()).rejects.toMatchObject({ code: 'INVALID_RESULT' });
  });

  it('ext-S8 stand in answers that are lists', async () => {
    for (const result of [{}, { skills: {} }, { skills: null }]) {
      const { skills } = await openSkills({ answers: { 'skills/list': () => cached(result) } });
      await expect(skills.list()).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    }
  });
});

describe('without a connection', () => {
  it('ext-S3 nothing is supported', async () => {
    const skills = new SkillsClient(new Client({ name: 'test', version: '1' }));
    expect([skills.supported, skills.directoryRead]).toEqual([false, false]);
    await expect(skills.list()).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
    await expect(skills.get(GIT.uri)).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
    await expect(skills.read(GIT)).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
  });
});
