import type { DataFolder } from './data-folder.ts';
import { UNKNOWN_START } from './process-identity.ts';
import type { ProcessIdentity, ProcessTable } from './process-identity.ts';

/** Held while a host runs on a data folder. */
export interface FolderLock {
  /** Whether it is still there: a folder that was removed or replaced holds it no more. */
  isHeld(): Promise<boolean>;
  /** Lets the next one have it. */
  release(): Promise<void>;
}

export interface LockOptions {
  readonly folder: DataFolder;
  readonly processes: ProcessTable;
  /** Number of this process. */
  readonly pid: number;
}

/** Either the lock, or the living process that has it. */
export type LockOutcome =
  | { readonly lock: FolderLock; readonly holder?: undefined }
  | { readonly lock?: undefined; readonly holder: ProcessIdentity };

const LOCK_NAME = /^lock\.(\d{1,15})$/;

/** Tries before it gives up: each lost round means that another start made progress. */
const MAX_ROUNDS = 100;

/**
 * Takes the folder for this process, unless a living one has it (K8).
 *
 * The lock is the file `lock.N` with the largest N; whoever creates the next number owns the folder.
 * A lock whose process is gone, or whose number now belongs to another process, is passed over by
 * creating the next one, and nobody ever deletes a lock that could be the newest. So of any number of
 * starts that find the same dead lock exactly one gets the next number.
 */
export async function takeLock(options: LockOptions): Promise<LockOutcome> {
  const { folder, processes, pid } = options;
  const self = (await processes.identify(pid)) ?? { pid, startedAt: UNKNOWN_START };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const newest = await newestLock(folder);
    const holder = newest === 0 ? undefined : await livingHolder(options, newest);
    if (holder !== undefined) return { holder };
    const mine = newest + 1;
    if (!(await create(folder, mine, self))) continue;
    if ((await newestLock(folder)) !== mine) {
      // This number had been used and cleared away while we looked: a later start owns the folder.
      await folder.remove(nameOf(mine));
      continue;
    }
    await clearOlder(folder, mine);
    // The number stays, emptied, so that it is never given twice.
    return { lock: lockAt(folder, nameOf(mine), self) };
  }
  return { holder: self };
}

function lockAt(folder: DataFolder, name: string, self: ProcessIdentity): FolderLock {
  return {
    isHeld: async () => (await folder.readText(name)) === JSON.stringify(self),
    release: () => folder.empty(name),
  };
}

function nameOf(number: number): string {
  return `lock.${number}`;
}

async function numbers(folder: DataFolder): Promise<number[]> {
  const found = (await folder.names()).map((name) => LOCK_NAME.exec(name)?.[1]);
  return found.filter((digits) => digits !== undefined).map(Number);
}

async function newestLock(folder: DataFolder): Promise<number> {
  return Math.max(0, ...(await numbers(folder)));
}

async function create(folder: DataFolder, number: number, self: ProcessIdentity): Promise<boolean> {
  try {
    await folder.createText(nameOf(number), JSON.stringify(self));
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    // Lost to another start, which may also have cleared our draft away.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}

async function livingHolder(
  { folder, processes }: LockOptions,
  number: number,
): Promise<ProcessIdentity | undefined> {
  const written = readIdentity(await folder.readText(nameOf(number)));
  const now = written === undefined ? undefined : await processes.identify(written.pid);
  return written !== undefined && now !== undefined && isSame(written, now) ? written : undefined;
}

/** Where a start time cannot be told, the number alone decides: better to refuse than to have two writers. */
function isSame(written: ProcessIdentity, now: ProcessIdentity): boolean {
  return (
    written.startedAt === now.startedAt ||
    written.startedAt === UNKNOWN_START ||
    now.startedAt === UNKNOWN_START
  );
}

function readIdentity(text: string | undefined): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('pid' in value) || typeof value.pid !== 'number') return undefined;
    if (!('startedAt' in value) || typeof value.startedAt !== 'string') return undefined;
    return { pid: value.pid, startedAt: value.startedAt };
  } catch {
    return undefined;
  }
}

/** Also of drafts, which starts that were killed leave behind. */
async function clearOlder(folder: DataFolder, mine: number): Promise<void> {
  for (const name of await folder.names()) {
    if (/^lock\.\d+\.new-/.test(name)) await folder.remove(name);
  }
  for (const number of await numbers(folder)) {
    if (number >= mine) continue;
    await folder.remove(nameOf(number));
  }
}
