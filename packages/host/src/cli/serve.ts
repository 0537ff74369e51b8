import { controlClient } from '../control/control-client.ts';
import { controlPath } from '../control/control-path.ts';
import { takeLock } from '../data-folder/folder-lock.ts';
import { openDataFolder } from '../data-folder/open-data-folder.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { createProcessTable } from '../data-folder/process-identity.ts';
import { HostError, isHostError } from '../errors.ts';
import type { CommandContext } from './context.ts';
import { dataPath } from './data-path.ts';
import { openLaunchLink } from './open-browser.ts';
import type { ServeOptions } from './serve-options.ts';

/** How long a second start waits for the first one to answer: 20 s, in milliseconds. */
const JOIN_LIMIT_MS = 20_000;
const JOIN_PAUSE_MS = 100;

/**
 * Runs the host on the data folder until a signal ends it, or, where one runs there already, prints a
 * launch link of that one (K8).
 */
export async function serve(options: ServeOptions, context: CommandContext): Promise<number> {
  const { uid, pid, clock } = context;
  const folder = await openDataFolder({ path: dataPath(options.data, context), uid });
  const processes = createProcessTable(context.platform);
  const deadlineMs = clock.now() + JOIN_LIMIT_MS;
  for (;;) {
    const { lock, holder } = await takeLock({ folder, processes, pid });
    if (lock !== undefined) {
      // Loaded only now: a start that joins needs none of it.
      const { runHost } = await import('./run-host.ts');
      return await runHost({ folder, lock, options }, context);
    }
    const link = await linkOfRunning(folder, context);
    if (link !== undefined) return await join({ link, folder, options }, context);
    if (clock.now() >= deadlineMs) throw silentHolder(folder, holder.pid);
    // The other start has the lock but does not answer yet; or it fails and lets go of the lock.
    await new Promise<void>((resolve) => void clock.setTimer(JOIN_PAUSE_MS, resolve));
  }
}

async function linkOfRunning(folder: DataFolder, context: CommandContext): Promise<string | undefined> {
  try {
    return await controlClient({ path: controlPath(folder.path, context.platform) }).launchLink();
  } catch (error) {
    if (isHostError(error, 'control_unreachable')) return undefined;
    throw error;
  }
}

interface Joined {
  readonly link: string;
  readonly folder: DataFolder;
  readonly options: ServeOptions;
}

async function join({ link, folder, options }: Joined, context: CommandContext): Promise<number> {
  const { terminal } = context;
  terminal.out(`Portico is running on this data folder already. Open it with this link:\n\n  ${link}\n`);
  if (options.port !== undefined && new URL(link).port !== String(options.port)) {
    terminal.err(`portico: --port ${options.port} has no effect on the one that is running`);
  }
  if (options.open) await openLaunchLink(link, folder, context);
  return 0;
}

function silentHolder(folder: DataFolder, pid: number): HostError {
  return new HostError('data_folder_busy', {
    message: `process ${pid} is using the data folder ${folder.path} and does not answer`,
    data: { path: folder.path, pid, remedy: `end process ${pid}, then start again` },
  });
}
