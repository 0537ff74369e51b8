import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { MAX_FILE_BYTES } from '../ext/skills/scan.ts';
import { SkillsExtension } from '../ext/skills/skills-extension.ts';
import type { SkillCatalog } from '../ext/skills/skills-extension.ts';
import type { SkillCatalogOptions, SkillFileEntry, SkillFiles } from '../ext/skills/types.ts';

/** Opens no link, and does not wait for the other end of a pipe; 0 where a system has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The files of a folder. Links and special files are listed as `unsupported`, so that a catalog leaves
 * the skill out that has one, and are never read; neither is a file behind a link in its path.
 *
 * @param root an existing folder; links in its own path are followed
 * @throws TypeError for paths that could leave the folder, and for what is no ordinary file
 */
export function nodeSkillFiles(root: string): SkillFiles {
  return {
    async list(folder) {
      const children = await readdir(await resolved(root, folder), { withFileTypes: true });
      return children.map((child): SkillFileEntry => ({ name: child.name, kind: kindOf(child) }));
    },
    async read(path) {
      return readOrdinaryFile(await resolved(root, path));
    },
  };
}

/**
 * Loads all skills below a folder.
 *
 * @param root a folder of folders, each with a `SKILL.md`
 * @throws SkillCatalogError as `SkillsExtension.load`
 */
export async function loadSkills(root: string, options?: SkillCatalogOptions): Promise<SkillCatalog> {
  return SkillsExtension.load(nodeSkillFiles(root), options);
}

function kindOf(child: Dirent): SkillFileEntry['kind'] {
  if (child.isFile()) return 'file';
  return child.isDirectory() ? 'directory' : 'unsupported';
}

/** The place of a file or folder on this machine, reached without links. */
async function resolved(root: string, path: string): Promise<string> {
  const real = await realpath(root);
  if (path === '') return real;
  const names = path.split('/');
  if (!names.every(isPlainName)) throw new TypeError(`${JSON.stringify(path)} is no path in the folder`);
  const place = join(real, ...names);
  const parents = await realpath(join(place, '..'));
  if (join(parents, String(names.at(-1))) !== place) {
    throw new TypeError(`${JSON.stringify(path)} is behind a link`);
  }
  return place;
}

/** Neither a step up nor, on any system, more than one name. */
function isPlainName(name: string): boolean {
  if (name === '' || name === '.' || name === '..') return false;
  return !/[/\\\0]|^[A-Za-z]:/.test(name);
}

async function readOrdinaryFile(place: string): Promise<Uint8Array> {
  // Where links cannot be refused when they are opened, they are looked for before.
  if (!(await lstat(place)).isFile()) throw new TypeError('this is no ordinary file');
  const file = await open(place, FLAGS);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new TypeError('this is no ordinary file');
    if (stat.size > MAX_FILE_BYTES) throw new TypeError('the file is larger than 64 MiB');
    return await readAll(file, stat.size);
  } finally {
    await file.close();
  }
}

/** At most that many bytes: a file that grows meanwhile has no end. */
async function readAll(file: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
