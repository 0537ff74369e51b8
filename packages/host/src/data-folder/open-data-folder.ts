import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { HostError } from '../errors.ts';
import type { HostErrorCode } from '../errors.ts';
import { createDataFolder } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';

const FOLDER_MODE = 0o700;

/** Room that a start needs on the disk: database, its log and what is written meanwhile; 8 MiB, in bytes. */
const MIN_FREE_BYTES = 8 * 1024 * 1024;

export interface OpenDataFolderOptions {
  readonly path: string;
  /** Id of the user who runs the program; undefined where the system has none. */
  readonly uid: number | undefined;
}

/**
 * Makes the data folder where it is missing, and sees to it that only its owner can look into it.
 *
 * Throws HostError `data_folder_not_a_folder`, `data_folder_read_only`, `data_folder_foreign`,
 * `data_folder_full` or `data_folder_unusable`, each with path and remedy, and then has changed
 * nothing (K6).
 */
export async function openDataFolder({ path, uid }: OpenDataFolderOptions): Promise<DataFolder> {
  const absolute = resolve(path);
  const madeFrom = await make(absolute);
  const fresh = madeFrom !== undefined || (await isEmpty(absolute));
  const folder = createDataFolder({ path: absolute, fresh, madeFrom });
  try {
    await check(absolute, uid);
  } catch (error) {
    if (madeFrom !== undefined) await folder.discard();
    throw refusal(absolute, error);
  }
  return folder;
}

/** Makes the folder and those above it; answers the uppermost one that it made. */
async function make(path: string): Promise<string | undefined> {
  try {
    const madeFrom = await makeWithThoseAbove(path);
    if (madeFrom !== undefined) await chmod(path, FOLDER_MODE);
    return madeFrom;
  } catch (error) {
    throw refusal(path, error);
  }
}

/** In place of the recursive mkdir of node:fs, which never ends where a folder refuses to have another. */
async function makeWithThoseAbove(path: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = path; !(await isThere(at)); at = dirname(at)) missing.push(at);
  const made: string[] = [];
  try {
    for (const folder of missing.toReversed()) if (await makeOne(folder)) made.push(folder);
  } catch (error) {
    for (const folder of made.toReversed()) await rmdir(folder);
    throw error;
  }
  return made[0];
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Answers whether the folder is new: another start may have made it meanwhile. */
async function makeOne(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: FOLDER_MODE });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

async function isEmpty(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length === 0;
  } catch {
    // Whatever is wrong with it, the checks that follow name it.
    return false;
  }
}

async function check(path: string, uid: number | undefined): Promise<void> {
  const found = await stat(path);
  if (!found.isDirectory()) throw new HostError('data_folder_not_a_folder');
  if (uid !== undefined && found.uid !== uid) {
    throw new HostError('data_folder_foreign', { data: { owner: found.uid, user: uid } });
  }
  const disk = await statfs(path);
  if (disk.bavail * disk.bsize < MIN_FREE_BYTES) throw new HostError('data_folder_full');
  await tryToWrite(path);
  // Only now: a folder that its owner has made read-only stays so.
  if (uid !== undefined && (found.mode & 0o777) !== FOLDER_MODE) await chmod(path, FOLDER_MODE);
}

async function tryToWrite(path: string): Promise<void> {
  const probe = join(path, `.probe-${randomBytes(6).toString('hex')}`);
  const file = await open(probe, 'wx', 0o600);
  try {
    await file.writeFile('portico');
  } finally {
    await file.close();
    await rm(probe, { force: true });
  }
}

interface Trouble {
  readonly code: HostErrorCode;
  readonly what: string;
  readonly remedy: string;
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  not_a_folder: {
    code: 'data_folder_not_a_folder',
    what: 'is not a folder',
    remedy: 'name a folder with --data or PORTICO_DATA',
  },
  read_only: {
    code: 'data_folder_read_only',
    what: 'cannot be written',
    remedy: 'make it writable for your user, or name another folder with --data or PORTICO_DATA',
  },
  foreign: {
    code: 'data_folder_foreign',
    what: 'belongs to another user',
    remedy: 'run portico as that user, or name a folder of your own with --data or PORTICO_DATA',
  },
  full: {
    code: 'data_folder_full',
    what: `is on a disk with less than ${MIN_FREE_BYTES / 1024 / 1024} MiB free`,
    remedy: 'free some space, or name a folder on another disk with --data or PORTICO_DATA',
  },
};

const TROUBLE_OF_CAUSE: Readonly<Record<string, string>> = {
  data_folder_not_a_folder: 'not_a_folder',
  ENOTDIR: 'not_a_folder',
  EEXIST: 'not_a_folder',
  EACCES: 'read_only',
  EPERM: 'read_only',
  EROFS: 'read_only',
  data_folder_foreign: 'foreign',
  data_folder_full: 'full',
  ENOSPC: 'full',
  EDQUOT: 'full',
};

function refusal(path: string, cause: unknown): HostError {
  const code = codeOf(cause);
  const trouble = TROUBLES[TROUBLE_OF_CAUSE[code] ?? ''];
  const above = dirname(path);
  return new HostError(trouble?.code ?? 'data_folder_unusable', {
    message: `the data folder ${path} ${trouble?.what ?? `cannot be used (${code})`}`,
    data: {
      ...(cause instanceof HostError ? cause.data : {}),
      path,
      remedy: trouble?.remedy ?? `check ${path} and ${above}, or name another folder with --data`,
    },
    cause,
  });
}
