import { openChildLedger } from '../children/child-ledger.ts';
import { createProcessList } from '../children/linux-processes.ts';
import { createSignals } from '../children/process-list.ts';
import { createRecordFile } from '../children/record-file.ts';
import { startControlServer } from '../control/control-server.ts';
import { controlPath } from '../control/control-path.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { FolderLock } from '../data-folder/folder-lock.ts';
import { watchFolder } from '../data-folder/folder-watch.ts';
import { HostError } from '../errors.ts';
import type { Host, ListenChoice } from '../host-options.ts';
import { createHost } from '../index.ts';
import { portsToTry } from '../listen-port.ts';
import type { SettingStore } from '../ports/stores.ts';
import { openKeys } from '../secrets/key-holder.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { createBrowserSessions } from '../sessions/browser-sessions.ts';
import { createLaunchLinks } from '../sessions/launch-links.ts';
import { DATABASE_FILE } from '../store/database-file.ts';
import { openSqliteStores } from '../store/sqlite-stores.ts';
import type { CommandContext } from './context.ts';
import { LAUNCH_FILE, openLaunchLink } from './open-browser.ts';
import { productFiles } from './product-files.ts';
import type { ServeOptions } from './serve-options.ts';
import { waitForStop } from './stop-signals.ts';
import { createTerminalLog } from './terminal-log.ts';

/** Setting that holds the port of the last start without `--port`. */
const PORT_SETTING = 'port';

export interface RunHostRequest {
  readonly folder: DataFolder;
  readonly lock: FolderLock;
  readonly options: ServeOptions;
}

/**
 * Starts the host on a locked data folder, and ends it in order when a signal comes.
 * @throws HostError data_folder_lost when the folder is removed meanwhile
 */
export async function runHost(request: RunHostRequest, context: CommandContext): Promise<number> {
  const { folder, options } = request;
  const { terminal, clock } = context;
  const signals = waitForStop(process, clock);
  const opened: Closer[] = [() => request.lock.release()];
  try {
    const host = await openHost({ ...request, opened }, context);
    terminal.out(greeting(host, folder));
    if (options.open) await openLaunchLink(host.launchLink(), folder, context);
  } catch (error) {
    await closeAll(opened);
    await folder.discard();
    throw error;
  }
  const watch = watchFolder(request.lock, clock);
  const isLost = await Promise.race([signals.stopped.then(() => false), watch.lost.then(() => true)]);
  watch.stop();
  await closeAll(opened);
  signals.release();
  if (isLost) throw lostFolder(folder);
  return 0;
}

function lostFolder({ path }: DataFolder): HostError {
  return new HostError('data_folder_lost', {
    message: `the data folder ${path} was removed or replaced while portico was running, so it has ended`,
    data: { path, remedy: 'put the folder back, or start again to begin with an empty one' },
  });
}

type Closer = () => Promise<unknown>;

/** Closes what was opened last first. One that fails keeps none of the others open. */
async function closeAll(opened: readonly Closer[]): Promise<void> {
  for (const close of opened.toReversed()) await close().catch(() => {});
}

interface Opening extends RunHostRequest {
  /** Takes what has to be closed again. */
  readonly opened: Closer[];
}

async function openHost({ folder, options, opened }: Opening, context: CommandContext): Promise<Host> {
  const { clock, environment, platform, version, terminal } = context;
  const log = createTerminalLog(terminal);
  const keys = await openKeys(folder, environment);
  const secrets = createSecretBox(keys.ring);
  await folder.ensureFile(DATABASE_FILE);
  const stores = await openSqliteStores({ path: folder.pathOf(DATABASE_FILE), clock });
  opened.push(() => stores.close());
  const keeper = await openChildLedger({
    file: createRecordFile(folder),
    processes: createProcessList(platform, context.pid),
    signals: createSignals(),
    clock,
    log,
  });
  opened.push(() => keeper.close());
  const fixedPort = options.port ?? environment.port;
  const host = await createHost({
    ...productFiles(),
    stores,
    secrets,
    keys,
    clock,
    sessions: createBrowserSessions({ store: stores.sessions, clock }),
    launchLinks: createLaunchLinks(clock),
    listen: fixedPort === undefined ? await rememberedPorts(stores.settings) : { port: fixedPort },
    model: environment.model,
    clientMetadataUrl: environment.clientMetadataUrl,
    version,
    keeper,
    log,
  });
  opened.push(() => host.close());
  if (fixedPort === undefined) await stores.settings.put(PORT_SETTING, String(host.port));
  const control = await startControlServer({ path: controlPath(folder.path, platform), handlers: host, log });
  opened.push(() => control.close());
  opened.push(() => folder.remove(LAUNCH_FILE));
  return host;
}

/** Another port would be another origin, which loses what the browser has stored (K7). */
async function rememberedPorts(settings: SettingStore): Promise<ListenChoice> {
  const remembered = Number(await settings.get(PORT_SETTING));
  return portsToTry(Number.isInteger(remembered) && remembered > 0 ? remembered : undefined);
}

function greeting(host: Host, folder: DataFolder): string {
  return [
    'Portico is running. Open it with this link, which works once and within ten minutes:',
    '',
    `  ${host.launchLink()}`,
    '',
    `Data    ${folder.path}`,
    'Stop    Ctrl+C',
  ].join('\n');
}
