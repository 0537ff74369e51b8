import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Tells a process from another one that got the same number later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; equal only for the same process. `UNKNOWN_START` where the system does not tell. */
  readonly startedAt: string;
}

export const UNKNOWN_START = 'unknown';

/** How processes are looked at; replaced in tests. */
export interface ProcessTable {
  /** The process as it is now, or undefined when there is none with this number. */
  identify(pid: number): Promise<ProcessIdentity | undefined>;
}

/** The system's own processes: /proc on Linux, `ps` elsewhere, PowerShell on Windows. */
export function createProcessTable(platform: NodeJS.Platform): ProcessTable {
  const startOf = platform === 'linux' ? startOnLinux : platform === 'win32' ? startOnWindows : startByPs;
  return {
    async identify(pid) {
      if (!isAlive(pid)) return undefined;
      return { pid, startedAt: (await startOf(pid)) ?? UNKNOWN_START };
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process cannot be signalled but is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function startOnLinux(pid: number): Promise<string | undefined> {
  try {
    const [status, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    const ticks = startTicks(status);
    return ticks === undefined ? undefined : `${boot.trim()} ${ticks}`;
  } catch {
    return undefined;
  }
}

/** Field 22 of /proc/PID/stat, counted after the name, which may itself hold spaces and brackets. */
export function startTicks(status: string): string | undefined {
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19];
}

const run = promisify(execFile);

async function startByPs(pid: number): Promise<string | undefined> {
  // Dates in one language and one time zone, so that they can be compared later.
  return await outputOf('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], { LC_ALL: 'C', TZ: 'UTC' });
}

async function startOnWindows(pid: number): Promise<string | undefined> {
  const script = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
  return await outputOf('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]);
}

async function outputOf(
  command: string,
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  try {
    const { stdout } = await run(command, args, { timeout: 10_000, ...(env === undefined ? {} : { env }) });
    return stdout.trim() === '' ? undefined : stdout.trim();
  } catch {
    return undefined;
  }
}
