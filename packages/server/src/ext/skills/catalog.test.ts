import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { modern, openWire } from '../../../../../testing/mcp-wire.ts';
import { McpServer } from '../../mcp/mcp-server.ts';
import { SkillCatalogError, SkillsExtension, memorySkillFiles, skillEntry } from './index.ts';
import type { SkillCatalog, SkillCatalogOptions, SkillFiles, SkillWarning } from './index.ts';

const skill = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}---\n`;
const GOOD = { 'good/SKILL.md': skill('good') };

async function load(
  files: Record<string, string | Uint8Array> | SkillFiles,
  options: SkillCatalogOptions = {},
): Promise<{ catalog: SkillCatalog; warnings: SkillWarning[] }> {
  const warnings: SkillWarning[] = [];
  const storage =
    typeof files['list'] === 'function'
      ? (files as SkillFiles)
      : memorySkillFiles(files as Record<string, string>);
  const catalog = await SkillsExtension.load(storage, {
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  return { catalog, warnings };
}
const found = ({ catalog }: { catalog: SkillCatalog }): string[] => catalog.entries.map(({ uri }) => uri);
async function problemsOf(promise: Promise<unknown>): Promise<readonly SkillWarning[]> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SkillCatalogError);
  expect(error).toMatchObject({ code: 'INVALID_SKILLS' });
  return (error as SkillCatalogError).problems;
}

describe('a catalog', () => {
  it('ext-S41 has a skill for each folder with a SKILL.md, below its prefix', async () => {
    const files = {
      'README.md': 'of no skill',
      'one/SKILL.md': skill('one'),
      'team/sub/two/SKILL.md': skill('two'),
      'team/sub/x.md': 'of no skill',
      'none/skill.md': skill('none'),
    };
    const plain = await load(files);
    expect(found(plain)).toEqual(['skill://one/SKILL.md', 'skill://team/sub/two/SKILL.md']);
    expect(plain.warnings).toEqual([]);
    const prefixed = await load(files, { prefix: 'acme/ü' });
    expect(found(prefixed)).toEqual([
      'skill://acme/%C3%BC/one/SKILL.md',
      'skill://acme/%C3%BC/team/sub/two/SKILL.md',
    ]);
    const everything = prefixed.catalog.entries.flatMap(({ resources }) =>
      resources === 'dynamic' ? [] : resources,
    );
    const listed = everything.map(({ uri }) => uri);
    expect(listed).toEqual(found(prefixed));
    for (const prefix of ['../x', 'a//b', '/a', 'a/', 'a\\b']) {
      await expect(load(files, { prefix }), prefix).rejects.toMatchObject({
        name: 'TypeError',
        code: 'INVALID_SKILLS',
      });
    }
  });

  it('ext-S41 says of each file what it is, the skill’s own first', async () => {
    const files = { 'a/SKILL.md': skill('a'), 'a/B.md': 'ä', 'a/b/c.bin': new Uint8Array([0, 255]) };
    const { catalog } = await load(files);
    const digest = (content: string | Uint8Array): string =>
      `sha256:${createHash('sha256').update(content).digest('hex')}`;
    expect(catalog.entries).toEqual([
      {
        uri: 'skill://a/SKILL.md',
        frontmatter: { name: 'a', description: 'About a' },
        resources: [
          { uri: 'skill://a/SKILL.md', digest: digest(skill('a')), size: skill('a').length },
          { uri: 'skill://a/B.md', digest: digest('ä'), size: 2 },
          { uri: 'skill://a/b/c.bin', digest: digest(files['a/b/c.bin']), size: 2 },
        ],
      },
    ]);
    expect(() => (catalog.entries[0]!.frontmatter.name = 'x')).toThrow(TypeError);
    expect(() => (catalog.entries as unknown[]).pop()).toThrow(TypeError);
    expect(() => (catalog.entries[0]!.resources as unknown[]).pop()).toThrow(TypeError);
  });

  it('ext-S42 leaves out what breaks the rules, or names all of it at once', async () => {
    const faults: Record<string, string | Uint8Array> = {
      'no-frontmatter/SKILL.md': 'Text',
      'no-end/SKILL.md': '---\nname: no-end\n',
      'no-yaml/SKILL.md': '---\nname: [\n---\n',
      'no-text/SKILL.md': new Uint8Array([0xff]),
      'no-name/SKILL.md': '---\ndescription: d\n---\n',
      'no-description/SKILL.md': '---\nname: no-description\n---\n',
      'empty-description/SKILL.md': '---\nname: empty-description\ndescription: " "\n---\n',
      'other/SKILL.md': skill('name'),
      'Upper/SKILL.md': skill('Upper'),
      'SKILL.md': skill('root'),
      'twice/SKILL.md': skill('twice'),
      'twice/x': 'a file',
      'twice/x/y': 'and a folder',
      'odd/SKILL.md': skill('odd'),
      'odd/a\\b.md': 'x',
    };
    const loose = await load({ ...faults, ...GOOD });
    expect(found(loose)).toEqual(['skill://good/SKILL.md']);
    const names = [
      '.',
      'Upper',
      'empty-description',
      'no-description',
      'no-end',
      'no-frontmatter',
      'no-name',
      'no-text',
      'no-yaml',
      'odd',
      'other',
      'twice',
    ];
    expect(loose.warnings.map(({ path }) => path).toSorted()).toEqual(names);
    expect(loose.warnings.every(({ message }) => message.length > 5)).toBe(true);
    const problems = await problemsOf(load({ ...faults, ...GOOD }, { strict: true }));
    expect(problems).toEqual(loose.warnings);
    expect(found(await load(GOOD, { strict: true }))).toEqual(['skill://good/SKILL.md']);
  });

  it('ext-S42 always fails with its storage', async () => {
    const storage = memorySkillFiles(GOOD);
    const broken = new TypeError('broken disk');
    const failing = [
      { ...storage, list: () => Promise.reject(broken) },
      { ...storage, read: () => Promise.reject(broken) },
    ];
    for (const files of failing) {
      const promise = load(files);
      expect(await problemsOf(promise)).toHaveLength(1);
      await expect(promise).rejects.toMatchObject({ cause: broken });
    }
  });

  it('ext-S42 warns on the error output unless it is told where to', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    try {
      await SkillsExtension.load(memorySkillFiles({ 'bad/SKILL.md': 'x' }));
      expect(warn).toHaveBeenCalledOnce();
      const throwing = (): never => {
        throw new TypeError('no');
      };
      expect(
        found({
          catalog: await SkillsExtension.load(memorySkillFiles({ 'bad/SKILL.md': 'x', ...GOOD }), {
            onWarning: throwing,
          }),
        }),
      ).toHaveLength(1);
    } finally {
      warn.mockRestore();
    }
  });

  it('ext-S43 warns of skills that hosts need not take', async () => {
    const many = (count: number): Record<string, string> =>
      Object.fromEntries([
        ['a/SKILL.md', skill('a')],
        ...Array.from({ length: count - 1 }, (_, index) => [`a/${String(index)}`, '']),
      ]) as Record<string, string>;
    const large = (bytes: number): Record<string, string | Uint8Array> => ({
      'a/SKILL.md': skill('a'),
      'a/x': new Uint8Array(bytes - skill('a').length),
    });
    const limit = 16 * 1024 * 1024;
    for (const files of [many(512), large(limit)]) {
      const { catalog, warnings } = await load(files, { strict: true });
      expect([catalog.entries.length, warnings]).toEqual([1, []]);
    }
    for (const files of [many(513), large(limit + 1)]) {
      const { catalog, warnings } = await load(files);
      expect([catalog.entries.length, warnings.map(({ path }) => path)]).toEqual([1, ['a']]);
      expect(await problemsOf(load(files, { strict: true }))).toHaveLength(1);
      expect(
        (await load(files, { strict: true, limits: { files: 513, bytes: limit + 1 } })).warnings,
      ).toEqual([]);
    }
    expect((await load(GOOD, { limits: { files: 0, bytes: 0 } })).warnings).toHaveLength(2);
  });

  it('ext-S44 publishes every field of a frontmatter', async () => {
    const more =
      'license: Apache-2.0\nmetadata: {version: "2.1", io.modelcontextprotocol/x: 1}\nallowed-tools: [Read, Bash]\non: yes\nsince: 2026-01-01\n';
    const { catalog } = await load({ 'rich/SKILL.md': skill('rich', more) });
    expect(catalog.entries[0]?.frontmatter).toEqual({
      name: 'rich',
      description: 'About rich',
      license: 'Apache-2.0',
      metadata: { version: '2.1', 'io.modelcontextprotocol/x': 1 },
      'allowed-tools': ['Read', 'Bash'],
      on: 'yes',
      since: '2026-01-01',
    });
  });

  it('ext-S46 ends where a storage has no end', async () => {
    const endless = (list: SkillFiles['list']): SkillFiles => ({ list, read: async () => new Uint8Array() });
    let asked = 0;
    const deep = endless(async () => {
      asked += 1;
      return [{ name: 'x', kind: 'directory' }];
    });
    expect(await problemsOf(load(deep))).toMatchObject([
      { message: expect.stringContaining('32 levels') as unknown },
    ]);
    expect(asked).toBe(33);
    const wide = endless(async () =>
      Array.from({ length: 10_001 }, (_, index) => ({ name: `f${String(index)}`, kind: 'file' as const })),
    );
    expect(await problemsOf(load(wide))).toMatchObject([
      { message: expect.stringContaining('10000') as unknown },
    ]);
    const huge = {
      ...memorySkillFiles(GOOD),
      read: async () => ({ length: 64 * 1024 * 1024 + 1 }) as Uint8Array,
    };
    expect(await problemsOf(load(huge))).toMatchObject([{ path: 'good/SKILL.md' }]);
  });

  it('ext-S37 serves no file that is no longer the published one', async () => {
    const files: Record<string, string> = { ...GOOD, 'good/x.md': 'abc' };
    const { catalog, warnings } = await load(files);
    const mcp = new McpServer({ name: 's', version: '1' });
    catalog.attach(mcp);
    const wire = await openWire((transport) => mcp.connect(transport));
    const params = modern({ uri: 'skill://good/x.md' });
    for (const content of ['abd', 'abcd', '']) {
      files['good/x.md'] = content;
      const error = await wire.error('resources/read', params);
      expect([error.code, JSON.stringify(error).includes(content || 'no')]).toEqual([-32603, content === '']);
      expect(warnings.at(-1)?.path).toBe('good/x.md');
    }
    delete files['good/x.md'];
    expect(await wire.error('resources/read', params)).toMatchObject({ code: -32603 });
    files['good/x.md'] = 'abd';
    await catalog.reload();
    expect((await wire.result('resources/read', params))['contents']).toMatchObject([{ text: 'abd' }]);
  });
});

describe('files in memory', () => {
  it('ext-S48 are looked for when a walk starts, and read as they are', async () => {
    const record: Record<string, string | Uint8Array> = { 'a/b.md': 'one' };
    const files = memorySkillFiles(record);
    expect(await files.list('')).toEqual([{ name: 'a', kind: 'directory' }]);
    record['a/c.md'] = new Uint8Array([1]);
    record['a/b.md'] = 'two';
    expect(await files.list('a')).toEqual([{ name: 'b.md', kind: 'file' }]);
    expect(new TextDecoder().decode(await files.read('a/b.md'))).toBe('two');
    await files.list('');
    expect(await files.list('a')).toHaveLength(2);
    for (const path of ['none', 'a', 'toString', '__proto__']) await problemsOf(files.read(path));
    await problemsOf(files.list('none'));
  });

  it('ext-S48 make an entry, or the sentence that says why not', async () => {
    const files = { 'SKILL.md': skill('refunds'), 'examples/email.md': new Uint8Array([0x61]) };
    const entry = await skillEntry('acme/refunds', files, { baseUri: 'github://x/' });
    expect(entry.uri).toBe('github://x/acme/refunds/SKILL.md');
    expect(entry.resources).toMatchObject([
      { uri: entry.uri },
      { uri: 'github://x/acme/refunds/examples/email.md', size: 1 },
    ]);
    expect((await skillEntry('refunds', files)).uri).toBe('skill://refunds/SKILL.md');
    const faults: [string, Record<string, string>][] = [
      ['other', files as never],
      ['refunds', {}],
      ['../refunds', files as never],
      ['', files as never],
      ['refunds', { 'SKILL.md': 'x' }],
      ['refunds', { 'SKILL.md': skill('refunds'), '../x': '' }],
      ['refunds', { 'SKILL.md': skill('refunds'), 'a//b': '' }],
    ];
    for (const [path, content] of faults)
      expect(await problemsOf(skillEntry(path, content)), path).toHaveLength(1);
  });
});
