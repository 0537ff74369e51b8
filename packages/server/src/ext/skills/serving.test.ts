import { describe, expect, it } from 'vitest';
import { modern, openWire } from '../../../../../testing/mcp-wire.ts';
import { McpServer } from '../../mcp/mcp-server.ts';
import type { ServerContext } from '../../context.ts';
import { SkillsExtension, memorySkillFiles, skillEntry } from './index.ts';
import type { Skill, SkillCatalogOptions, SkillSource, SkillWarning } from './index.ts';

const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];
const ID = 'io.modelcontextprotocol/skills';

const skill = (name: string, body = 'Text\n'): string =>
  `---\nname: ${name}\ndescription: About ${name}\n---\n\n${body}`;
const make = (): McpServer => new McpServer({ name: 'skills', version: '1' });

interface Opened {
  /** The capabilities that the server told. */
  readonly declared: Record<string, unknown>;
  readonly result: (method: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly error: (
    method: string,
    params?: Record<string, unknown>,
  ) => Promise<{ code: number; message: string }>;
}

async function open(era: Era, extension: SkillsExtension, mcp: McpServer = make()): Promise<Opened> {
  extension.attach(mcp);
  const wire = await openWire((transport) => mcp.connect(transport));
  const described =
    era === 'legacy' ? await wire.initialize() : await wire.result('server/discover', modern());
  const inEra = (params: Record<string, unknown> = {}): Record<string, unknown> =>
    era === 'modern' ? modern(params) : params;
  return {
    declared: described['capabilities'] as Record<string, unknown>,
    result: (method, params) => wire.result(method, inEra(params)),
    error: (method, params) => wire.error(method, inEra(params)),
  };
}

const catalog = (files: Record<string, string | Uint8Array>, options: SkillCatalogOptions = {}) =>
  SkillsExtension.load(memorySkillFiles(files), { onWarning: () => {}, ...options });
const uris = (list: unknown): string[] => (list as { uri: string }[]).map(({ uri }) => uri);

const FILES = {
  'forms/SKILL.md': skill('forms'),
  'forms/references/FIELDS.md': '# Ämter\r\n',
  'forms/scripts/fill.py': 'print()\n',
  'forms/data.json': '{}',
  'forms/logo.png': new Uint8Array([0x89, 0x50, 0, 0xff]),
  'forms/LICENSE': 'free\n',
  'forms/a b#?ü%🎉.md': 'odd',
  'team/release/SKILL.md': skill('release'),
  'team/release/notes/SKILL.md': skill('notes'),
  'team/README.md': 'of no skill',
};

/** A source that serves one skill, unless the test says otherwise. */
function sourceOf(parts: Partial<SkillSource>): SkillSource {
  return {
    list: () => Promise.resolve({ skills: [] }),
    get: () => Promise.resolve(undefined),
    read: () => Promise.resolve(undefined),
    ...parts,
  };
}

describe.each(ERAS)('a server with skills, %s', (era) => {
  it('ext-S2 declares the extension and resources, and folders only if it has them', async () => {
    const { declared: withFolders } = await open(era, await catalog(FILES));
    expect(withFolders).toMatchObject({ resources: {}, extensions: { [ID]: { directoryRead: true } } });
    const { declared: without } = await open(era, new SkillsExtension({ source: sourceOf({}) }));
    expect(without['extensions']).toEqual({ [ID]: {} });
    expect(without['resources']).toBeDefined();
  });

  it('ext-S31 lists its skills sorted, page by page', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 250 }, (_, index) => [`s${String(index)}/SKILL.md`, skill(`s${String(index)}`)]),
    );
    const { result, error } = await open(era, await catalog(files));
    const found: string[] = [];
    const sizes: number[] = [];
    let cursor: unknown;
    do {
      const page = await result('skills/list', cursor === undefined ? {} : { cursor });
      sizes.push((page['skills'] as unknown[]).length);
      found.push(...uris(page['skills']));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(sizes).toEqual([100, 100, 50]);
    expect(found).toEqual(
      Object.keys(files)
        .map((path) => `skill://${path}`)
        .toSorted(),
    );
    for (const foreign of ['', 'x', '100', btoa('0:500'), 7, null]) {
      expect(await error('skills/list', { cursor: foreign })).toMatchObject({ code: -32602 });
    }
  });

  it('ext-S31 takes page sizes of 1 and without end', async () => {
    const one = await open(era, await catalog(FILES, { pageSize: 1 }));
    const page = await one.result('skills/list');
    expect([uris(page['skills']), typeof page['nextCursor']]).toEqual([['skill://forms/SKILL.md'], 'string']);
    const all = await open(era, await catalog(FILES, { pageSize: Infinity }));
    expect((await all.result('skills/list'))['skills']).toHaveLength(3);
    for (const pageSize of [0, -1, 1.5, Number.NaN]) {
      await expect(catalog(FILES, { pageSize })).rejects.toMatchObject({
        name: 'RangeError',
        code: 'INVALID_SKILLS',
      });
    }
  });

  it('ext-S32 says in modern answers alone how long they may be kept', async () => {
    const requests = [
      ['skills/list', {}],
      ['skills/get', { uri: 'skill://forms/SKILL.md' }],
      ['resources/directory/read', { uri: 'skill://forms' }],
      ['resources/read', { uri: 'skill://forms/SKILL.md' }],
    ] as const;
    const plain = await open(era, await catalog(FILES));
    const hinted = await open(era, await catalog(FILES, { cacheHint: { ttlMs: 9, cacheScope: 'public' } }));
    const members = ['resultType', 'ttlMs', 'cacheScope'];
    const told = async (opened: Opened, method: string, params: object): Promise<unknown[]> => {
      const answer = await opened.result(method, { ...params });
      return members.map((member) => answer[member]);
    };
    const nothing = [undefined, undefined, undefined];
    for (const [method, params] of requests) {
      const expected =
        era === 'modern'
          ? [
              ['complete', 0, 'private'],
              ['complete', 9, 'public'],
            ]
          : [nothing, nothing];
      expect([await told(plain, method, params), await told(hinted, method, params)], method).toEqual(
        expected,
      );
    }
    await expect(catalog(FILES, { cacheHint: { ttlMs: -1 } })).rejects.toMatchObject({
      code: 'INVALID_CACHE_HINT',
    });
  });

  it('ext-S33 answers for each of its skills and for nothing else', async () => {
    const { result, error } = await open(era, await catalog(FILES));
    const { skills } = await result('skills/list');
    for (const entry of skills as Skill[])
      expect((await result('skills/get', { uri: entry.uri }))['skill']).toEqual(entry);
    for (const uri of [
      'skill://forms/LICENSE',
      'skill://forms',
      'skill://none/SKILL.md',
      'x',
      '',
      7,
      undefined,
    ]) {
      const refused = await error('skills/get', { uri });
      expect([refused.code, refused.message.length > 5], String(uri)).toEqual([-32602, true]);
    }
  });

  it('ext-S33 answers for skills that it does not list', async () => {
    const hidden = await skillEntry('hidden', { 'SKILL.md': skill('hidden') });
    const get = (uri: string): Promise<Skill | undefined> =>
      Promise.resolve(uri === hidden.uri ? hidden : undefined);
    const { result, error } = await open(era, new SkillsExtension({ source: sourceOf({ get }) }));
    expect((await result('skills/list'))['skills']).toEqual([]);
    expect((await result('skills/get', { uri: hidden.uri }))['skill']).toEqual(hidden);
    expect(await error('skills/get', { uri: 'skill://other/SKILL.md' })).toMatchObject({ code: -32602 });
  });

  it('ext-S34 serves the files of its skills beside other resources', async () => {
    const mcp = make();
    mcp.registerResource('own', 'test://own', {}, () => ({ contents: [{ uri: 'test://own', text: 'own' }] }));
    const { result, error } = await open(era, await catalog(FILES), mcp);
    const text = async (uri: string): Promise<unknown> =>
      ((await result('resources/read', { uri }))['contents'] as { text?: string }[])[0]?.text;
    expect(await text('skill://forms/references/FIELDS.md')).toBe('# Ämter\r\n');
    expect(await text('skill://team/release/notes/SKILL.md')).toBe(skill('notes'));
    expect(await text('test://own')).toBe('own');
    for (const uri of [
      'skill://forms/none.md',
      'skill://forms',
      'skill://team/README.md',
      'skill://none/SKILL.md',
    ]) {
      expect(await error('resources/read', { uri }), uri).toMatchObject({ code: -32602 });
    }
    const { resources } = await result('resources/list');
    expect(uris(resources)).toContain('test://own');
  });

  it('ext-S35 lists the SKILL.md files and knows the kinds of the others', async () => {
    const { result } = await open(era, await catalog(FILES));
    const { resources } = await result('resources/list');
    expect(resources).toEqual(
      ['skill://forms/SKILL.md', 'skill://team/release/SKILL.md', 'skill://team/release/notes/SKILL.md'].map(
        (uri) =>
          expect.objectContaining({
            uri,
            name: uri.split('/').at(-2),
            mimeType: 'text/markdown',
            description: `About ${String(uri.split('/').at(-2))}`,
          }) as unknown,
      ),
    );
    const types = {
      'SKILL.md': 'text/markdown',
      'references/FIELDS.md': 'text/markdown',
      'scripts/fill.py': 'text/x-python',
      'data.json': 'application/json',
      'logo.png': 'image/png',
      LICENSE: 'application/octet-stream',
    };
    for (const [path, mimeType] of Object.entries(types)) {
      const { contents } = await result('resources/read', { uri: `skill://forms/${path}` });
      expect(contents).toMatchObject([{ uri: `skill://forms/${path}`, mimeType }]);
    }
  });

  it('ext-S36 sends exactly the bytes that the digest covers', async () => {
    const odd = {
      'odd/SKILL.md': skill('odd'),
      'odd/bom.txt': '\uFEFFtext',
      'odd/crlf.txt': 'a\r\nb\r',
      'odd/nul.txt': 'a\0b',
      'odd/empty': '',
      'odd/latin.txt': new Uint8Array([0x61, 0xe4]),
      'odd/half.txt': new Uint8Array([0xed, 0xa0, 0x80]),
    };
    const { result } = await open(era, await catalog(odd));
    for (const [path, content] of Object.entries(odd)) {
      const { contents } = await result('resources/read', { uri: `skill://${path}` });
      const [first] = contents as { text?: string; blob?: string }[];
      const isText = typeof content === 'string';
      expect(first?.text !== undefined, path).toBe(isText);
      const bytes = isText ? Buffer.from(String(first?.text)) : Buffer.from(String(first?.blob), 'base64');
      expect(bytes, path).toEqual(Buffer.from(content));
    }
  });

  it('ext-S28 shows every folder with all its children and no others', async () => {
    const { result, error } = await open(era, await catalog(FILES));
    const read = async (uri: string): Promise<unknown> =>
      (await result('resources/directory/read', { uri }))['resources'];
    const folder = (uri: string, name: string): object => ({ uri, name, mimeType: 'inode/directory' });
    expect(await read('skill://forms')).toMatchObject([
      { uri: 'skill://forms/LICENSE', name: 'LICENSE', size: 5 },
      { uri: 'skill://forms/SKILL.md', name: 'forms', description: 'About forms', mimeType: 'text/markdown' },
      { uri: 'skill://forms/a%20b%23%3F%C3%BC%25%F0%9F%8E%89.md', name: 'a b#?ü%🎉.md' },
      { uri: 'skill://forms/data.json', mimeType: 'application/json' },
      { uri: 'skill://forms/logo.png', mimeType: 'image/png', size: 4 },
      folder('skill://forms/references', 'references'),
      folder('skill://forms/scripts', 'scripts'),
    ]);
    expect(await read('skill://team')).toEqual([folder('skill://team/release', 'release')]);
    expect(await read('skill://team/release')).toHaveLength(2);
    expect(await read('skill://team/release/notes')).toMatchObject([{ name: 'notes' }]);
    for (const uri of [
      'skill://forms/SKILL.md',
      'skill://forms/',
      'skill://none',
      'skill://',
      'x',
      undefined,
    ]) {
      expect(await error('resources/directory/read', { uri }), uri).toMatchObject({ code: -32602 });
    }
    expect(await error('resources/directory/read', { uri: 'skill://forms', cursor: 'x' })).toMatchObject({
      code: -32602,
    });
  });

  it('ext-S28 shows folders page by page, and empty ones empty', async () => {
    const files = memorySkillFiles(FILES);
    const list: typeof files.list = async (path) =>
      path === 'forms/empty'
        ? []
        : path === 'forms'
          ? [...(await files.list(path)), { name: 'empty', kind: 'directory' }]
          : files.list(path);
    const { result } = await open(era, await SkillsExtension.load({ ...files, list }, { pageSize: 3 }));
    const found: string[] = [];
    let cursor: unknown;
    do {
      const page = await result('resources/directory/read', {
        uri: 'skill://forms',
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect((page['resources'] as unknown[]).length).toBeLessThanOrEqual(3);
      found.push(...uris(page['resources']));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(found).toHaveLength(8);
    expect((await result('resources/directory/read', { uri: 'skill://forms/empty' }))['resources']).toEqual(
      [],
    );
  });

  it('ext-S29 has no method for folders when it has none', async () => {
    const { error } = await open(era, new SkillsExtension({ source: sourceOf({}) }));
    expect(await error('resources/directory/read', { uri: 'skill://forms' })).toMatchObject({ code: -32601 });
  });

  it('ext-S38 lists a skill inside another as one of its own, and its files in both', async () => {
    const { result } = await open(
      era,
      await catalog({ ...FILES, 'team/release/notes/more/SKILL.md': skill('more') }),
    );
    const skills = (await result('skills/list'))['skills'] as Skill[];
    const files = (uri: string): string[] => uris(skills.find((each) => each.uri === uri)?.resources);
    const root = 'skill://team/release';
    expect(files(`${root}/SKILL.md`)).toEqual([
      `${root}/SKILL.md`,
      `${root}/notes/SKILL.md`,
      `${root}/notes/more/SKILL.md`,
    ]);
    expect(files(`${root}/notes/SKILL.md`)).toEqual([
      `${root}/notes/SKILL.md`,
      `${root}/notes/more/SKILL.md`,
    ]);
    expect(files(`${root}/notes/more/SKILL.md`)).toEqual([`${root}/notes/more/SKILL.md`]);
    for (const each of skills)
      expect(Object.keys(each).toSorted()).toEqual(['frontmatter', 'resources', 'uri']);
  });

  it('ext-S45 has one spelling for each name, and none for what is no name', async () => {
    const files = memorySkillFiles(FILES);
    const asked: string[] = [];
    const read: typeof files.read = (path) => {
      asked.push(path);
      return files.read(path);
    };
    const { result, error } = await open(era, await SkillsExtension.load({ ...files, read }));
    const see = async (at: string): Promise<undefined> => void asked.push(at);
    const source = sourceOf({ get: see, read: see, readDirectory: see });
    const generated = await open(era, new SkillsExtension({ source }));
    asked.length = 0;
    const uri = 'skill://forms/a%20b%23%3F%C3%BC%25%F0%9F%8E%89.md';
    expect((await result('resources/read', { uri }))['contents']).toMatchObject([{ text: 'odd' }]);
    expect(asked).toEqual(['forms/a b#?ü%🎉.md']);
    for (const hostile of [
      'skill://forms/references%2FFIELDS.md',
      'skill://forms/references%5CFIELDS.md',
      'skill://forms/references\\FIELDS.md',
      'skill://forms/%2e%2e/%2e%2e/etc/passwd',
      'skill://forms/..%2f..%2fetc/passwd',
      'skill://forms/SKILL.md%00',
      'skill://forms/SKILL.md%',
      'skill://forms/SKILL.md%FF',
      'skill://forms//SKILL.md',
      'skill://forms/SKILL.md?x',
      'skill://forms/SKILL.md#x',
      'skill://%2e%2e/forms/SKILL.md',
    ]) {
      for (const method of ['resources/read', 'skills/get', 'resources/directory/read']) {
        for (const ask of [error, generated.error]) {
          expect(await ask(method, { uri: hostile }), `${method} ${hostile}`).toMatchObject({ code: -32602 });
        }
      }
    }
    expect(asked).toHaveLength(1);
  });

  it('ext-S39 asks a source with the context of each request', async () => {
    const entry = await skillEntry('mine', { 'SKILL.md': skill('mine') }, { baseUri: 'app://skills/' });
    const seen: string[] = [];
    const see = (method: string, context: ServerContext): void => {
      seen.push(`${method} ${context.mcpReq.method} ${context.client.era}`);
    };
    const source: SkillSource = {
      list: async ({ cursor }, context) => {
        see('list', context);
        return cursor === 'next' ? { skills: [] } : { skills: [entry], nextCursor: 'next' };
      },
      get: async (_uri, context) => {
        see('get', context);
        return entry;
      },
      read: async (uri, context) => {
        see('read', context);
        return uri.endsWith('.bin') ? { bytes: new Uint8Array([1]) } : { text: uri, mimeType: 'text/x' };
      },
      readDirectory: async (uri, { cursor }, context) => {
        see('readDirectory', context);
        return { resources: [{ uri, name: cursor ?? 'first' }], nextCursor: 'n' };
      },
      listResources: async (context) => {
        see('listResources', context);
        return [{ uri: entry.uri, name: 'mine' }];
      },
    };
    const { result } = await open(era, new SkillsExtension({ source, baseUri: 'app://skills/' }));
    expect(await result('skills/list')).toMatchObject({ skills: [entry], nextCursor: 'next' });
    expect((await result('skills/list', { cursor: 'next' }))['skills']).toEqual([]);
    expect((await result('skills/get', { uri: entry.uri }))['skill']).toEqual(entry);
    const uri = 'app://skills/mine/x';
    expect((await result('resources/read', { uri }))['contents']).toEqual([
      { uri, text: uri, mimeType: 'text/x' },
    ]);
    expect((await result('resources/read', { uri: `${uri}.bin` }))['contents']).toEqual([
      { uri: `${uri}.bin`, blob: 'AQ==' },
    ]);
    expect(await result('resources/directory/read', { uri, cursor: 'c' })).toMatchObject({
      resources: [{ name: 'c' }],
      nextCursor: 'n',
    });
    expect((await result('resources/list'))['resources']).toMatchObject([{ uri: entry.uri }]);
    expect(seen).toEqual([
      `list skills/list ${era}`,
      `list skills/list ${era}`,
      `get skills/get ${era}`,
      `read resources/read ${era}`,
      `read resources/read ${era}`,
      `readDirectory resources/directory/read ${era}`,
      `listResources resources/list ${era}`,
    ]);
  });

  it('ext-S39 holds a source to the rules and tells nothing of its failures', async () => {
    const good = await skillEntry('good', { 'SKILL.md': skill('good') });
    const foreign = await skillEntry('good', { 'SKILL.md': skill('good') }, { baseUri: 'other://' });
    const broken = { ...good, uri: 'skill://bad/SKILL.md' };
    const warnings: SkillWarning[] = [];
    const onWarning = (warning: SkillWarning): void => void warnings.push(warning);
    const source = sourceOf({
      list: async () => ({ skills: [broken, good, foreign] }),
      get: async (uri) => (uri === broken.uri ? broken : uri === foreign.uri ? foreign : good),
      read: () => Promise.reject(new TypeError('canary-secret')),
    });
    const lenient = await open(era, new SkillsExtension({ source, onWarning }));
    expect((await lenient.result('skills/list'))['skills']).toEqual([good]);
    expect(warnings.map(({ path }) => path)).toEqual([broken.uri, foreign.uri]);
    for (const uri of [broken.uri, foreign.uri, 'skill://another/SKILL.md']) {
      expect(await lenient.error('skills/get', { uri }), uri).toMatchObject({ code: -32602 });
    }
    const failure = await lenient.error('resources/read', { uri: 'skill://good/SKILL.md' });
    expect(failure).toMatchObject({ code: -32603 });
    expect(JSON.stringify(failure)).not.toContain('canary');
    expect(warnings.at(-1)).toEqual({ path: 'skill://good/SKILL.md', message: 'canary-secret' });
    const strict = await open(era, new SkillsExtension({ source, onWarning, strict: true }));
    expect(await strict.error('skills/list')).toMatchObject({ code: -32603 });
  });
});
