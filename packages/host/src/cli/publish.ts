import { join, parse } from 'node:path';
import { MAX_PAGE_BYTES } from '@portico/api';
import type { PublishResult } from '@portico/api';
import { HostError, isHostError } from '../errors.ts';
import type { CommandContext } from './context.ts';
import { readTextFile } from './read-file.ts';
import { runningHost } from './running-host.ts';
import { printJson } from './terminal.ts';

export interface PublishOptions {
  readonly data?: string;
  readonly manifest?: string;
  readonly title?: string;
  /** Artifact whose next version this is. */
  readonly artifact?: string;
  readonly json: boolean;
}

/** Largest manifest file, in bytes. */
const MAX_MANIFEST_BYTES = 262_144;

/**
 * Publishes a page through the running host. A manifest comes from `--manifest`, else from
 * `page.manifest.json` beside `page.html`, else from the page itself.
 */
export async function publish(
  file: string,
  options: PublishOptions,
  context: CommandContext,
): Promise<number> {
  const html = await readTextFile(file, MAX_PAGE_BYTES);
  const manifest = await readManifest(file, options.manifest);
  const page = {
    html,
    ...(manifest === undefined ? {} : { manifest }),
    ...(options.title === undefined ? {} : { title: options.title }),
    ...(options.artifact === undefined ? {} : { artifactId: options.artifact }),
  };
  const result = await runningHost(options.data, context).ask(async (client) => {
    try {
      return await client.publish(page);
    } catch (error) {
      throw asRefusal(error, file);
    }
  });
  report(result, options.json, context);
  return 0;
}

function report(result: PublishResult, json: boolean, { terminal }: CommandContext): void {
  for (const warning of result.warnings) terminal.err(`warning: ${warning}`);
  if (json) {
    printJson(terminal, result);
    return;
  }
  const { title, version } = result.artifact;
  const what = result.created
    ? `Published ${title}, version ${version}`
    : `${title} was published like this already`;
  terminal.out(`${what}:\n\n  ${result.address}\n`);
}

/** Wrong pages and manifests are the caller's to put right. */
function asRefusal(error: unknown, file: string): unknown {
  if (!isHostError(error, 'control_refused') || error.data['refusal'] === 'internal') return error;
  return new HostError('page_refused', { message: error.message, data: { ...error.data, path: file } });
}

async function readManifest(file: string, named: string | undefined): Promise<unknown> {
  const { dir, name } = parse(file);
  const path = named ?? join(dir, `${name}.manifest.json`);
  let text: string;
  try {
    text = await readTextFile(path, MAX_MANIFEST_BYTES);
  } catch (error) {
    if (named === undefined && isHostError(error) && error.data['reason'] === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HostError('page_refused', {
      message: `the manifest ${path} is not JSON: ${reason}`,
      data: { path, remedy: 'correct the file, or name another one with --manifest' },
      cause,
    });
  }
}
