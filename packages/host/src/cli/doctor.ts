import { lookup } from 'node:dns/promises';
import { stat } from 'node:fs/promises';
import type { Connector } from '@portico/api';
import { isHostError } from '../errors.ts';
import type { CommandContext } from './context.ts';
import { runningHost } from './running-host.ts';
import type { RunningHost } from './running-host.ts';
import { printJson } from './terminal.ts';

export interface DoctorOptions {
  readonly data?: string;
  /** Only print a launch link of the running host. */
  readonly link: boolean;
  /** Only exchange the key that secrets are sealed with, in the running host. */
  readonly rotateKey: boolean;
  readonly json: boolean;
}

/** One thing that was looked at. */
interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly remedy?: string;
}

/**
 * Looks at what most often stands in the way, changing nothing; `--link` prints a launch link, and
 * `--rotate-key` exchanges the key of stored secrets.
 */
export async function doctor(options: DoctorOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const host = runningHost(options.data, context);
  if (options.link) {
    const url = await host.ask((client) => client.launchLink());
    if (options.json) printJson(terminal, { url });
    else terminal.out(url);
    return 0;
  }
  if (options.rotateKey) return await rotateKey(host, options, context);
  const [node, folder, running, names] = await Promise.all([
    checkNode(),
    checkFolder(host, context),
    checkHost(host),
    checkNames(),
  ]);
  const findings = [node, folder, ...running, names];
  if (options.json) printJson(terminal, { findings });
  else for (const finding of findings) terminal.out(lineOf(finding));
  return findings.every((finding) => finding.ok) ? 0 : 6;
}

async function rotateKey(
  host: RunningHost,
  { json }: DoctorOptions,
  { terminal }: CommandContext,
): Promise<number> {
  const report = await host.ask((client) => client.rotateKey());
  if (json) printJson(terminal, report);
  else {
    terminal.out(`Secrets are sealed with a new key now; ${report.renewed} were sealed anew.`);
    if (report.unreadable > 0) {
      terminal.err(
        `${report.unreadable} secrets could not be opened with any key that is there; they are left as they were`,
      );
    }
  }
  return report.unreadable === 0 ? 0 : 6;
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

async function checkHost(host: RunningHost): Promise<Finding[]> {
  const check = 'host';
  try {
    const status = await host.ask((client) => client.status());
    const found = `version ${status.version} runs on ${status.origin}`;
    return [{ check, ok: true, found }, checkSecrets(status.connectors)];
  } catch (error) {
    if (!isHostError(error, 'not_running')) throw error;
    return [{ check, ok: true, found: 'not running' }];
  }
}

/** A lost or exchanged key shows as connectors whose values cannot be opened (K35). */
function checkSecrets(connectors: readonly Connector[]): Finding {
  const check = 'stored secrets';
  const locked = connectors.filter(({ problem }) => problem?.kind === 'secretUnreadable');
  if (locked.length === 0) return { check, ok: true, found: 'open with the present key' };
  return {
    check,
    ok: false,
    found: `the present key does not open those of ${locked.map(({ name }) => name).join(', ')}`,
    remedy:
      'put the earlier key back into the file "key" (or PORTICO_KEY) and start again, or enter them again',
  };
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
