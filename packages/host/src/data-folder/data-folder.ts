import { randomBytes } from 'node:crypto';
import { link, open, readFile, readdir, rename, rm, rmdir, truncate } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HostError } from '../errors.ts';

/** Rights of everything inside: for its owner only. */
const FILE_MODE = 0o600;

/** The one folder that everything is written below (K5). */
export interface DataFolder {
  readonly path: string;
  /** Whether it was empty or not there when it was opened. */
  readonly fresh: boolean;
  pathOf(name: string): string;
  /** Text of a file, or undefined when there is none. */
  readText(name: string): Promise<string | undefined>;
  /**
   * Writes a new file, whole or not at all, readable by the owner only whatever the umask.
   * Rejects with `EEXIST` of node:fs when it is there already.
   */
  createText(name: string, text: string): Promise<void>;
  /** Puts a text in the place of what the file holds, whole or not at all; readable by the owner only. */
  replaceText(name: string, text: string): Promise<void>;
  /**
   * Makes sure that the file is there, empty when new, and readable by the owner only.
   * Throws HostError `data_folder_unusable` where something stands in its place.
   */
  ensureFile(name: string): Promise<void>;
  /** Names of all entries. */
  names(): Promise<string[]>;
  /** Takes everything out of a file and keeps the file. */
  empty(name: string): Promise<void>;
  /** Does nothing when there is no such file. */
  remove(name: string): Promise<void>;
  /** Takes a start that failed back: removes what is inside, and the folders made for it. Fresh folders only. */
  discard(): Promise<void>;
}

export interface DataFolderOptions {
  readonly path: string;
  readonly fresh: boolean;
  /** The uppermost folder that was made for it. */
  readonly madeFrom: string | undefined;
}

export function createDataFolder({ path, fresh, madeFrom }: DataFolderOptions): DataFolder {
  const pathOf = (name: string): string => join(path, name);
  return {
    path,
    fresh,
    pathOf,
    async readText(name) {
      try {
        return await readFile(pathOf(name), 'utf8');
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async createText(name, text) {
      // A link appears with its whole text or not at all, and never replaces a file.
      const draft = pathOf(`${name}.new-${randomBytes(6).toString('hex')}`);
      try {
        await writePrivate(draft, text);
        await link(draft, pathOf(name));
      } finally {
        await rm(draft, { force: true });
      }
    },
    async replaceText(name, text) {
      const draft = pathOf(`${name}.new-${randomBytes(6).toString('hex')}`);
      try {
        await writePrivate(draft, text);
        await rename(draft, pathOf(name));
      } finally {
        await rm(draft, { force: true });
      }
    },
    async ensureFile(name) {
      const file = await openOwn(pathOf(name));
      try {
        await file.chmod(FILE_MODE);
      } finally {
        await file.close();
      }
    },
    names: () => readdir(path),
    empty: (name) => truncate(pathOf(name), 0),
    remove: (name) => rm(pathOf(name), { force: true }),
    async discard() {
      if (!fresh) return;
      for (const name of await readdir(path)) await rm(pathOf(name), { recursive: true, force: true });
      if (madeFrom !== undefined) await removeUpTo(path, madeFrom);
    },
  };
}

async function openOwn(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a', FILE_MODE);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new HostError('data_folder_unusable', {
      message: `${path} cannot be opened as a file of its own (${reason})`,
      data: { path, remedy: 'move it away, or make it a file that your user can write' },
      cause,
    });
  }
}

async function writePrivate(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.chmod(FILE_MODE);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes empty folders from `path` up to and including `last`; stops at one that others use. */
async function removeUpTo(path: string, last: string): Promise<void> {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
    if (folder === last) return;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
