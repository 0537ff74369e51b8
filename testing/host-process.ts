import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startProgram } from './processes.ts';
import type { Program } from './processes.ts';

const ROOT = join(import.meta.dirname, '..');
/** The command as people run it. */
export const PORTICO = join(ROOT, 'packages/host/bin/portico.mjs');

export interface HostProcess {
  readonly program: Program;
  readonly port: number;
  readonly dataFolder: string;
  /** Origin of the console. */
  readonly origin: string;
  /** One-use address that signs a browser in. */
  readonly launchLink: string;
  /** Asks it to end and waits for it. */
  stop(): Promise<number | string>;
  /** Ends it without warning, as a power cut would. */
  kill(): Promise<number | string>;
}

export interface HostProcessOptions {
  readonly dataFolder?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** An empty folder that the caller removes. */
export function temporaryFolder(name: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `portico-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts the built host and waits for its launch link. */
export async function startHost(options: HostProcessOptions = {}): Promise<HostProcess> {
  const dataFolder = options.dataFolder ?? temporaryFolder('data').path;
  const port = options.port ?? (await freePort());
  const program = startProgram(
    [PORTICO, 'serve', '--no-open', '--data', dataFolder, '--port', String(port), ...(options.args ?? [])],
    options.env === undefined ? {} : { env: options.env },
  );
  const [launchLink] = await program.waitFor(/http:\/\/portico\.localhost:\d+\/launch\S+/);
  const end = (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string> => {
    program.child.kill(signal);
    return program.ended;
  };
  return {
    program,
    port,
    dataFolder,
    origin: `http://portico.localhost:${port}`,
    launchLink,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}
