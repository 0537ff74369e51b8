import type { Stream } from 'node:stream';

/** Where a child's error output goes. */
export type StderrMode = 'inherit' | 'pipe' | 'overlapped' | 'ignore' | Stream | number;

/** How to run a server as a child process. */
export interface StdioServerParameters {
  /** The program; looked up in PATH, never given to a shell. */
  command: string;
  /** Arguments, handed over one by one and unchanged. */
  args?: readonly string[];
  /** Variables laid over the default environment. */
  env?: Readonly<Record<string, string>>;
  /** Working folder; the parent's by default. */
  cwd?: string;
  /**
   * `inherit`, the default, copies the child's error output to ours; `pipe` and `overlapped` offer it as
   * a stream; `ignore` shows it to nobody. In each case its last lines are kept. A stream of the system
   * or a number of an open file is given to the child itself, which leaves nothing to keep.
   */
  stderr?: StderrMode;
  /** Longest line from the child, bytes; a longer one ends the connection. 10 MiB by default. */
  maxBufferSize?: number;
}

/** What is given to the operating system, as plain data so that each platform's plan can be tested. */
export interface SpawnPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: {
    readonly cwd?: string;
    readonly env: Readonly<Record<string, string>>;
    readonly shell: false;
    /** POSIX: the child leads a process group of its own, so that its descendants can be ended with it. */
    readonly detached: boolean;
    readonly windowsHide: boolean;
    readonly stdio: readonly ['pipe', 'pipe', 'pipe' | Stream | number];
  };
}

/** The machine a plan is made for. */
export interface SpawnHost {
  readonly platform: NodeJS.Platform;
  /** Variables that children get whatever they are given beside. */
  readonly inherited: Readonly<Record<string, string>>;
}

/** Decides how a child is started: without a shell, in its own group, with a minimal environment (K31). */
export function planSpawn(parameters: StdioServerParameters, host: SpawnHost): SpawnPlan {
  const windows = host.platform === 'win32';
  return {
    command: parameters.command,
    args: [...(parameters.args ?? [])],
    options: {
      ...(parameters.cwd === undefined ? {} : { cwd: parameters.cwd }),
      env: { ...host.inherited, ...parameters.env },
      shell: false,
      // A detached child opens a console window on Windows, where groups do not exist anyway.
      detached: !windows,
      windowsHide: windows,
      stdio: ['pipe', 'pipe', typeof parameters.stderr === 'string' ? 'pipe' : (parameters.stderr ?? 'pipe')],
    },
  };
}
