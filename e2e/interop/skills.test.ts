import { Client as OurClient } from '@portico/client';
import { SkillsClient as OurSkills } from '@portico/client/ext/skills';
import { createMemoryTransportPair } from '@portico/rpc';
import { McpServer as OurServer } from '@portico/server';
import { SkillsExtension as OurExtension, memorySkillFiles as ourFiles } from '@portico/server/ext/skills';
import { Client as OfficialClient } from '@modelcontextprotocol/client';
import { SkillsClient as OfficialSkills } from '@modelcontextprotocol/client/ext/skills';
import { InMemoryTransport, McpServer as OfficialServer } from '@modelcontextprotocol/server';
import {
  SkillsExtension as OfficialExtension,
  memorySkillFiles as officialFiles,
} from '@modelcontextprotocol/server/ext/skills';
import { serveStdio as officialServe } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { asTransport } from './interop-client.ts';
import type { Mode } from './interop-client.ts';

const INFO = { name: 'skills', version: '1.0.0' };
const MAIN = `---
name: forms
description: "Fills in forms: all of them"
license: Apache-2.0
metadata:
  version: "2.1"
  since: 2026-07-28
allowed-tools: [Read, Bash]
---

Use \`templates/\`.
`;
type Files = Record<string, string | Uint8Array>;
const files = (): Files => ({
  'forms/SKILL.md': MAIN,
  'forms/references/Ämter & Orte.md': 'ä\r\n',
  'forms/logo.png': new Uint8Array([0x89, 0x50, 0, 0xff]),
  'forms/empty.txt': '',
  'forms/templates/de/SKILL.md': '---\nname: de\ndescription: In German\n---\n',
  'team/release/SKILL.md': '---\nname: release\ndescription: Releases\n---\nText',
});

type Skills = OurSkills | OfficialSkills;
interface Connected {
  readonly skills: Skills;
  readonly era: string | undefined;
}

/** Puts a server with these files on a transport. */
type Serve = (transport: object, content: Files) => Promise<void>;

const OPTIONS = { prefix: 'acme', pageSize: 2, onWarning: () => {} };

const serveOurs: Serve = async (transport, content) => {
  const server = new OurServer(INFO);
  (await OurExtension.load(ourFiles(content), OPTIONS)).attach(server);
  await server.connect(asTransport(transport));
};
const serveOfficial: Serve = async (transport, content) => {
  const catalog = await OfficialExtension.load(officialFiles(content), OPTIONS);
  officialServe(
    () => {
      const server = new OfficialServer(INFO);
      catalog.attach(server);
      return server;
    },
    { transport: asTransport(transport) },
  );
};
const connectOurs = async (transport: object, mode: Mode): Promise<Connected> => {
  const client = new OurClient(INFO, { versionNegotiation: { mode } });
  await client.connect(asTransport(transport));
  return { skills: new OurSkills(client), era: client.getProtocolEra() };
};
const connectOfficial = async (transport: object, mode: Mode): Promise<Connected> => {
  const client = new OfficialClient(INFO, { versionNegotiation: { mode } });
  await client.connect(asTransport(transport));
  return { skills: new OfficialSkills(client), era: client.getProtocolEra() };
};

const pairs = [
  {
    name: 'our client and our server',
    connect: connectOurs,
    serve: serveOurs,
    pair: createMemoryTransportPair,
  },
  {
    name: 'official client and our server',
    connect: connectOfficial,
    serve: serveOurs,
    pair: createMemoryTransportPair,
  },
  {
    name: 'our client and official server',
    connect: connectOurs,
    serve: serveOfficial,
    pair: () => InMemoryTransport.createLinkedPair(),
  },
];
const eras = [
  ['modern', 'auto'],
  ['legacy', 'legacy'],
] as const;

describe.each(pairs)('skills of $name', ({ connect, serve, pair }) => {
  describe.each(eras)('%s', (era, mode) => {
    async function open(content: Files = files()): Promise<Skills> {
      const [ours, theirs] = pair();
      await serve(theirs, content);
      const connected = await connect(ours, mode);
      expect(connected.era).toBe(era);
      return connected.skills;
    }

    it('ext-S49 ext-S44 are listed and got with all that their authors wrote', async () => {
      const skills = await open();
      expect([skills.supported, skills.directoryRead]).toEqual([true, true]);
      const listing = await skills.list();
      expect(listing.skills.map(({ uri }) => uri)).toEqual([
        'skill://acme/forms/SKILL.md',
        'skill://acme/forms/templates/de/SKILL.md',
        'skill://acme/team/release/SKILL.md',
      ]);
      expect(listing.skills[0]?.frontmatter).toEqual({
        name: 'forms',
        description: 'Fills in forms: all of them',
        license: 'Apache-2.0',
        metadata: { version: '2.1', since: '2026-07-28' },
        'allowed-tools': ['Read', 'Bash'],
      });
      expect('ttlMs' in listing).toBe(era === 'modern');
      for (const entry of listing.skills) expect((await skills.get(entry.uri)).skill).toEqual(entry);
      await expect(skills.get('skill://acme/none/SKILL.md')).rejects.toMatchObject({ code: -32602 });
    });

    it('ext-S49 have files of every kind, read and verified', async () => {
      const skills = await open();
      const content = files();
      const { skill } = await skills.get('skill://acme/forms/SKILL.md');
      const main = await skills.read(skill);
      expect([main.verified, main.text, main.frontmatter]).toEqual([true, MAIN, skill.frontmatter]);
      expect(main.body).toContain('Use `templates/`.');
      for (const path of ['references/Ämter & Orte.md', 'logo.png', 'empty.txt', 'templates/de/SKILL.md']) {
        const file = await skills.read(skill, path);
        expect([file.verified, Buffer.from(file.bytes)], path).toEqual([
          true,
          Buffer.from(content[`forms/${path}`] ?? 'missing'),
        ]);
      }
      await expect(skills.read(skill, 'none.md')).rejects.toMatchObject({ reason: 'unlisted' });
    });

    it('ext-S49 have folders that can be read', async () => {
      const skills = await open();
      const { resources } = await skills.readDirectory('skill://acme/forms');
      const children = resources.map(({ uri, mimeType }) => [
        decodeURIComponent(uri).split('/').at(-1),
        mimeType === 'inode/directory',
      ]);
      expect(Object.fromEntries(children)).toEqual({
        'SKILL.md': false,
        'empty.txt': false,
        'logo.png': false,
        references: true,
        templates: true,
      });
      await expect(skills.readDirectory('skill://acme/forms/SKILL.md')).rejects.toMatchObject({
        code: -32602,
      });
    });

    it('ext-S49 are refused when entry and file differ', async () => {
      const skills = await open();
      const { skill } = await skills.get('skill://acme/forms/SKILL.md');
      const changed = (uri: string, change: object): typeof skill => ({
        ...skill,
        resources:
          skill.resources === 'dynamic'
            ? 'dynamic'
            : skill.resources.map((file) => (file.uri === uri ? { ...file, ...change } : file)),
      });
      const digest = `sha256:${'0'.repeat(64)}`;
      await expect(skills.read(changed(skill.uri, { digest }))).rejects.toMatchObject({ reason: 'digest' });
      await expect(skills.read(changed(skill.uri, { size: 1 }))).rejects.toMatchObject({ reason: 'size' });
      const described = { ...skill, frontmatter: { ...skill.frontmatter, license: 'MIT' } };
      await expect(skills.read(described)).rejects.toMatchObject({ reason: 'frontmatter' });
    });
  });
});

it('ext-S49 ext-S48 entries that either side builds are the same', async () => {
  const ours = await OurExtension.load(ourFiles(files()), OPTIONS);
  const official = await OfficialExtension.load(officialFiles(files()), OPTIONS);
  const sorted = (entries: readonly unknown[]): unknown[] =>
    (structuredClone(entries) as { resources: { uri: string }[] }[]).map((entry) => ({
      ...entry,
      // Which file comes first is nobody's business; the URIs are compared as they are meant.
      resources: entry.resources
        .map((file) => ({ ...file, uri: decodeURIComponent(file.uri) }))
        .toSorted((one, other) => (one.uri < other.uri ? -1 : 1)),
    }));
  expect(sorted(ours.entries)).toEqual(sorted(official.entries));
});
