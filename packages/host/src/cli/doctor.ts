import { lookup } from 'node:dns/promises';
import { stat } from 'node:fs/promises';
import { isHostError } from '../errors.ts';
import type { CommandContext } from './context.ts';
import { runningHost } from './running-host.ts';
import type { RunningHost } from './running-host.ts';
import { printJson } from './terminal.ts';

export interface DoctorOptions {
  readonly data?: string;
  /** Only print a launch link of the running host. */
  readonly link: boolean;
  readonly json: boolean;
}

/** One thing that was looked at. */
interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly remedy?: string;
}

/** Looks at what most often stands in the way, changing nothing; `--link` prints a launch link. */
export async function doctor(options: DoctorOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const host = runningHost(options.data, context);
  if (options.link) {
    const url = await host.ask((client) => client.launchLink());
    if (options.json) printJson(terminal, { url });
    else terminal.out(url);
    return 0;
  }
  const findings = await Promise.all([
    checkNode(),
    checkFolder(host, context),
    checkHost(host),
    checkNames(),
  ]);
  if (options.json) printJson(terminal, { findings });
  else for (const finding of findings) terminal.out(lineOf(finding));
  return findings.every((finding) => finding.ok) ? 0 : 6;
}

function lineOf({ check, ok, found, remedy }: Finding): string {
  return `${ok ? 'ok  ' : 'FAIL'}  ${check}: ${found}${remedy === undefined ? '' : `\n      ${remedy}`}`;
}

async function checkNode(): Promise<Finding> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return {
    check: 'Node',
    ok,
    found: process.versions.node,
    ...(ok ? {} : { remedy: 'install Node 20.19 or later' }),
  };
}

async function checkFolder(host: RunningHost, { uid }: CommandContext): Promise<Finding> {
  const check = 'data folder';
  const path = host.dataFolder;
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return { check, ok: false, found: `${path} is not a folder` };
    if (uid === undefined) return { check, ok: true, found: path };
    if (found.uid !== uid) return { check, ok: false, found: `${path} belongs to another user` };
    const open = (found.mode & 0o077) !== 0;
    if (!open) return { check, ok: true, found: path };
    return { check, ok: false, found: `${path} is open to others`, remedy: `chmod 700 ${path}` };
  } catch {
    return { check, ok: true, found: `${path} is made at the first start` };
  }
}

async function checkHost(host: RunningHost): Promise<Finding> {
  const check = 'host';
  try {
    const status = await host.ask((client) => client.status());
    return { check, ok: true, found: `version ${status.version} runs on ${status.origin}` };
  } catch (error) {
    if (!isHostError(error, 'not_running')) throw error;
    return { check, ok: true, found: 'not running' };
  }
}

/** Browsers resolve these names by themselves, so a resolver without them is worth a hint, not a failure. */
async function checkNames(): Promise<Finding> {
  const check = 'names below localhost';
  try {
    const { address } = await lookup('portico.localhost');
    return { check, ok: true, found: `portico.localhost is ${address}` };
  } catch {
    return {
      check,
      ok: true,
      found: 'this system does not resolve them; Chrome, Edge and Firefox do so themselves',
    };
  }
}
