import { stat } from 'node:fs/promises';
import process from 'node:process';
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { SdkError } from '../errors.ts';
import type { StdioSpawnData } from '../errors.ts';
import type { SpawnPlan } from './spawn-plan.ts';
import type { ChildControl } from './stop-sequence.ts';

/** A running child whose streams are pipes, but perhaps for its error output. */
export interface PipedChild {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable | null;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Names what went wrong with a start; the system reports a missing folder like a missing program. */
async function spawnError(error: NodeJS.ErrnoException, plan: SpawnPlan): Promise<SdkError> {
  const folder = plan.options.cwd;
  const data: StdioSpawnData = {
    command: plan.command,
    ...(folder === undefined ? {} : { folder }),
    ...(error.code === undefined ? {} : { systemCode: error.code }),
  };
  const about = (code: 'STDIO_COMMAND_NOT_FOUND' | 'STDIO_NOT_EXECUTABLE', says: string): SdkError =>
    new SdkError(code, { message: `${says}: ${plan.command}`, data, cause: error });
  if (folder !== undefined && !(await isFolder(folder))) {
    const message = `the working folder does not exist: ${folder}`;
    return new SdkError('STDIO_FOLDER_NOT_FOUND', { message, data, cause: error });
  }
  if (error.code === 'ENOENT') return about('STDIO_COMMAND_NOT_FOUND', 'the command was not found');
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'ENOEXEC') {
    return about('STDIO_NOT_EXECUTABLE', 'the command cannot be executed');
  }
  return new SdkError('STDIO_SPAWN_FAILED', { data, cause: error });
}

/**
 * Starts a child and waits until the system has accepted it.
 *
 * @throws SdkError `STDIO_COMMAND_NOT_FOUND`, `STDIO_NOT_EXECUTABLE`, `STDIO_FOLDER_NOT_FOUND`,
 *   `STDIO_SPAWN_FAILED`
 */
export async function startChild(plan: SpawnPlan): Promise<PipedChild> {
  try {
    const child = spawn(plan.command, [...plan.args], {
      ...plan.options,
      stdio: [...plan.options.stdio],
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    const { pid, stdin, stdout, stderr } = child;
    if (pid === undefined || stdin === null || stdout === null) {
      throw new SdkError('STDIO_SPAWN_FAILED', { data: { command: plan.command } });
    }
    return { process: child, pid, stdin, stdout, stderr };
  } catch (error) {
    if (error instanceof SdkError) throw error;
    throw await spawnError(error as NodeJS.ErrnoException, plan);
  }
}

function groupExists(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    // "Not permitted" means that something is there, only not ours to signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Many children may be stopped at once, so this process may have that many more listeners. */
function onleaving(run: () => void): () => void {
  const allowMore = (count: number): void => {
    const most = process.getMaxListeners();
    // None means that there is no limit.
    if (most !== 0) process.setMaxListeners(most + count);
  };
  allowMore(1);
  process.once('beforeExit', run).once('exit', run);
  return () => {
    process.off('beforeExit', run).off('exit', run);
    allowMore(-1);
  };
}

/** Whether the child itself, not its group, still runs. */
export function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Power over a child and, where the platform has groups, over everything it started. */
export function controlChild(child: PipedChild, platform: NodeJS.Platform): ChildControl {
  return {
    closeInput: () => void child.stdin.end(),
    signalGroup(signal): void {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The group is gone, which is what the signal was for.
      }
    },
    run(command, args): void {
      const tool = spawn(command, [...args], { stdio: 'ignore', windowsHide: true });
      tool.on('error', () => void child.process.kill('SIGKILL'));
    },
    isChildAlive: () => isRunning(child.process),
    isGroupAlive: () => isRunning(child.process) || (platform !== 'win32' && groupExists(child.pid)),
    onleaving,
  };
}
