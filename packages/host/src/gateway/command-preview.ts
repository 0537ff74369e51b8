import { createHash } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { CommandPreview } from '@portico/api';

export interface CommandToRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Every variable that the child gets of its own; only names are looked at, and PATH. */
  readonly envNames: readonly string[];
  /** Search path for commands without a folder, as the child will have it. */
  readonly searchPath: string;
}

/**
 * The command as the person has to see it before it first runs, with a hash over everything that
 * makes it another command: the file it resolves to, the whole argument list, the folder and the
 * names of its variables (K19, K20).
 */
export function previewCommand(target: CommandToRun): CommandPreview {
  const resolvedPath = findExecutable(target);
  const envNames = [...target.envNames].sort();
  const identity = [resolvedPath, target.command, target.args, target.cwd, envNames];
  return {
    resolvedPath,
    command: target.command,
    args: [...target.args],
    cwd: target.cwd,
    envNames,
    hash: createHash('sha256').update(JSON.stringify(identity)).digest('hex'),
  };
}

function findExecutable(target: CommandToRun): string | null {
  const { command, cwd, searchPath } = target;
  const hasFolder = command.includes('/') || (process.platform === 'win32' && command.includes('\\'));
  if (hasFolder || isAbsolute(command)) return firstExecutable([resolve(cwd, command)]);
  // A relative entry of the search path means another file in every folder, so it is left out.
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  return firstExecutable(folders.map((folder) => join(folder, command)));
}

function firstExecutable(candidates: readonly string[]): string | null {
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat', '.com'] : [''];
  for (const candidate of candidates) {
    for (const ending of endings) {
      if (isExecutableFile(candidate + ending)) return candidate + ending;
    }
  }
  return null;
}

function isExecutableFile(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Missing or not ours to run: not the file that would run.
    return false;
  }
}
