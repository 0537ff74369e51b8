import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { startTicks } from '../data-folder/process-identity.ts';
import { CHILD_VARIABLE } from './process-list.ts';
import type { MarkedProcess, ProcessList, SeenProcess } from './process-list.ts';

/** Processes that are read at the same time, so that few files are open. */
const READ_AT_ONCE = 16;

/** Characters kept of the digest of a place. */
const PLACE_LENGTH = 16;

const NO_PROCESSES: ProcessList = {
  self: undefined,
  read: () => Promise.resolve(undefined),
  look: () => undefined,
};

/**
 * The processes of this system: from /proc on Linux. Elsewhere, and where /proc cannot be read, it tells of
 * none, so that nobody is taken for somebody else.
 */
export function createProcessList(platform: NodeJS.Platform, pid: number): ProcessList {
  const bootId = platform === 'linux' ? textOf('/proc/sys/kernel/random/boot_id')?.trim() : undefined;
  if (bootId === undefined) return NO_PROCESSES;
  const look = (wanted: number): SeenProcess | undefined => {
    const status = textOf(`/proc/${wanted}/stat`);
    return status === undefined ? undefined : readStatus(status, bootId);
  };
  const mark = async (seen: SeenProcess | undefined): Promise<MarkedProcess | undefined> => {
    if (seen === undefined) return undefined;
    const [environment, place] = await Promise.all([
      textSoon(`/proc/${seen.pid}/environ`),
      textSoon(`/proc/${seen.pid}/cgroup`),
    ]);
    return { ...seen, mark: markIn(environment ?? ''), place: digestOf(place ?? '') };
  };
  const seen = look(pid);
  if (seen === undefined) return NO_PROCESSES;
  const place = digestOf(textOf(`/proc/${pid}/cgroup`) ?? '');
  return {
    self: { ...seen, mark: undefined, place },
    look,
    async read() {
      const pids = (await namesIn('/proc'))?.filter((name) => /^\d+$/.test(name)).map(Number);
      if (pids === undefined) return undefined;
      const found: MarkedProcess[] = [];
      for (let from = 0; from < pids.length; from += READ_AT_ONCE) {
        const some = pids.slice(from, from + READ_AT_ONCE).map((one) => mark(look(one)));
        for (const one of await Promise.all(some)) if (one !== undefined) found.push(one);
      }
      return found;
    },
  };
}

/** Reads /proc/PID/stat; the name, which may itself hold spaces and brackets, ends with the last one. */
export function readStatus(status: string, bootId: string): SeenProcess | undefined {
  const pid = Number.parseInt(status, 10);
  const [state = '', parent, group, session] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  const ticks = startTicks(status);
  if (!(pid > 0) || ticks === undefined || !/^\d+$/.test(ticks)) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startedAt: `${bootId} ${ticks}`,
    over: 'ZXx'.includes(state),
  };
}

/** The mark in the text of /proc/PID/environ. */
export function markIn(environment: string): string | undefined {
  const prefix = `${CHILD_VARIABLE}=`;
  return environment
    .split('\0')
    .find((entry) => entry.startsWith(prefix))
    ?.slice(prefix.length);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, PLACE_LENGTH);
}

// A process may end, or may be another user's, at any moment.

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

async function textSoon(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}

async function namesIn(path: string): Promise<readonly string[] | undefined> {
  return await readdir(path).catch(() => undefined);
}
