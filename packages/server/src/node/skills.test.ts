import { once } from 'node:events';
import { mkdir, mkdtemp, open, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SkillWarning } from '../ext/skills/index.ts';
import { loadSkills, nodeSkillFiles } from './skills.ts';

const skill = (name: string): string => `---\nname: ${name}\ndescription: About ${name}\n---\n`;
let place: string;
let root: string;

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true });
  await writeFile(join(root, path), content);
}

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'skills-'));
  root = join(place, 'root');
  await put('good/SKILL.md', skill('good'));
  await put('good/more/x.bin', new Uint8Array([0, 255]));
  await writeFile(join(place, 'secret'), 'outside');
});
afterEach(async () => {
  await rm(place, { recursive: true });
});

async function load(): Promise<{ names: string[]; warnings: SkillWarning[] }> {
  const warnings: SkillWarning[] = [];
  const { entries } = await loadSkills(root, { onWarning: (warning) => warnings.push(warning) });
  return { names: entries.map(({ frontmatter }) => frontmatter.name), warnings };
}

it('ext-S47 lists and reads the files of a folder', async () => {
  const files = nodeSkillFiles(root);
  expect(await files.list('')).toEqual([{ name: 'good', kind: 'directory' }]);
  expect(await files.list('good/more')).toEqual([{ name: 'x.bin', kind: 'file' }]);
  expect(await files.read('good/more/x.bin')).toEqual(new Uint8Array([0, 255]));
  expect(await load()).toEqual({ names: ['good'], warnings: [] });
});

it('ext-S47 knows no path that could leave the folder', async () => {
  const files = nodeSkillFiles(root);
  const hostile = [
    '..',
    '../secret',
    'good/../../secret',
    '/etc/passwd',
    'good//SKILL.md',
    './good',
    'good/.',
    'a\\..\\b',
    '..\\secret',
    'C:',
    'C:\\x',
    'good/SKILL.md\0',
    join(place, 'secret'),
  ];
  for (const path of hostile) {
    await expect(files.read(path), path).rejects.toThrow(TypeError);
    await expect(files.list(path), path).rejects.toThrow(TypeError);
  }
});

it('ext-S47 follows no link, wherever it leads', async () => {
  await put('linked/SKILL.md', skill('linked'));
  await put('inside/SKILL.md', skill('inside'));
  await put('folder/SKILL.md', skill('folder'));
  await symlink(join(place, 'secret'), join(root, 'linked/secret.md'));
  await symlink('SKILL.md', join(root, 'inside/other.md'));
  await symlink(place, join(root, 'folder/up'));
  const files = nodeSkillFiles(root);
  expect(await files.list('linked')).toContainEqual({ name: 'secret.md', kind: 'unsupported' });
  expect(await files.list('folder')).toContainEqual({ name: 'up', kind: 'unsupported' });
  for (const path of [
    'linked/secret.md',
    'inside/other.md',
    'folder/up/secret',
    'folder/up/root/good/SKILL.md',
  ]) {
    await expect(files.read(path), path).rejects.toThrow(TypeError);
  }
  await expect(files.list('folder/up/root')).rejects.toThrow(TypeError);
  const { names, warnings } = await load();
  expect(names).toEqual(['good']);
  expect(warnings.map(({ path }) => path)).toEqual(['folder', 'inside', 'linked']);
});

it('ext-S47 takes no folder that was replaced by a link meanwhile', async () => {
  const files = nodeSkillFiles(root);
  expect(await files.read('good/SKILL.md')).toHaveLength(skill('good').length);
  await rename(join(root, 'good'), join(place, 'moved'));
  await symlink(join(place, 'moved'), join(root, 'good'));
  await expect(files.read('good/SKILL.md')).rejects.toThrow(TypeError);
  await expect(files.read('good/more/x.bin')).rejects.toThrow(TypeError);
});

// Sockets of Windows are no files.
it.skipIf(process.platform === 'win32')('ext-S47 opens no special file and reads no folder', async () => {
  await put('piped/SKILL.md', skill('piped'));
  const socket = createServer().listen(join(root, 'piped/pipe'));
  await once(socket, 'listening');
  const files = nodeSkillFiles(root);
  expect(await files.list('piped')).toContainEqual({ name: 'pipe', kind: 'unsupported' });
  await expect(files.read('piped/pipe')).rejects.toThrow(TypeError);
  await expect(files.read('piped')).rejects.toThrow(TypeError);
  expect((await load()).names).toEqual(['good']);
  socket.close();
});

it('ext-S47 may itself be reached by a link', async () => {
  await symlink(root, join(place, 'link'));
  root = join(place, 'link');
  expect((await load()).names).toEqual(['good']);
});

it('ext-S46 reads nothing of a file that is larger than 64 MiB', async () => {
  await put('good/huge', '');
  const file = await open(join(root, 'good/huge'), 'w');
  await file.truncate(64 * 1024 * 1024 + 1);
  await file.close();
  await expect(nodeSkillFiles(root).read('good/huge')).rejects.toThrow('64 MiB');
  await expect(load()).rejects.toMatchObject({ code: 'INVALID_SKILLS' });
});

it('ext-S42 fails for a folder that is not there', async () => {
  await expect(loadSkills(join(place, 'none'))).rejects.toMatchObject({
    code: 'INVALID_SKILLS',
    cause: { code: 'ENOENT' },
  });
});
