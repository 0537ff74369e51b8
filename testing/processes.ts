import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A child whose output is kept and can be waited for. */
export interface Program {
  readonly child: ChildProcess;
  /** Everything it wrote so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** First match in the output; rejects with all output when the program ends without one. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** Exit code, or the signal's name. */
  readonly ended: Promise<number | string>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
}

/** Starts a Node program with a small environment of its own. */
export function startProgram(args: readonly string[], options: ProgramOptions = {}): Program {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      CI: 'true',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());
  child.stdout.setEncoding('utf8').on('data', (text: string) => ((stdout += text), changed()));
  child.stderr.setEncoding('utf8').on('data', (text: string) => ((stderr += text), changed()));
  let over = false;
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => {
      over = true;
      resolve(code ?? signal ?? 'unknown');
      changed();
    });
  });
  const waitFor = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(stdout) ?? pattern.exec(stderr);
        if (match === null && !over) return;
        listeners.delete(look);
        if (match !== null) resolve(match);
        else reject(new Error(`ended without ${String(pattern)}:\n${stdout}\n${stderr}`));
      };
      listeners.add(look);
      look();
    });
  return { child, stdout: () => stdout, stderr: () => stderr, waitFor, ended };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
