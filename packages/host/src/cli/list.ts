import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { CONNECTOR_ACTIONS, CONNECTOR_STATES } from '@portico/api';
import type { Connector } from '@portico/api';
import { restingCondition } from '../gateway/connector-condition.ts';
import { HostError, isHostError } from '../errors.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import { DATABASE_FILE } from '../store/database-file.ts';
import type { CommandContext } from './context.ts';
import { runningHost } from './running-host.ts';
import { printJson } from './terminal.ts';

export interface ListOptions {
  readonly data?: string;
  readonly json: boolean;
}

/** One connector as `portico list` shows it. */
interface ListedConnector {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** Command line or address; values of variables and headers are never part of it. */
  readonly target: string;
  readonly starts: Connector['starts'];
  readonly status: Connector['status'];
  /** Why it is in this state. */
  readonly cause: string;
  /** What to do about it. */
  readonly action: Connector['action'];
  /** The last lines of its program's error output, where they may say why. */
  readonly lastLines?: readonly string[] | undefined;
  /** Undefined while no host runs that could ask. */
  readonly tools?: number;
}

/** Lists the connectors: with their states when a host runs, else as they are stored (K142). */
export async function list(options: ListOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const { running, connectors } = await find(options, context);
  if (options.json) {
    printJson(terminal, { running, connectors });
    return 0;
  }
  if (!running) terminal.err('portico is not running; this is what is stored');
  if (connectors.length === 0) terminal.out('No connectors.');
  else terminal.out(table(connectors));
  return 0;
}

interface Found {
  readonly running: boolean;
  readonly connectors: readonly ListedConnector[];
}

async function find(options: ListOptions, context: CommandContext): Promise<Found> {
  const host = runningHost(options.data, context);
  try {
    const status = await host.ask((client) => client.status());
    const connectors = status.connectors.map((connector) => ({
      id: connector.id,
      name: connector.name,
      kind: connector.transport.kind,
      target: targetOf(connector.transport),
      starts: connector.starts,
      status: connector.status,
      cause: connector.cause.message,
      action: connector.action,
      lastLines: connector.problem?.stderrTail,
      tools: connector.toolCount,
    }));
    return { running: true, connectors };
  } catch (error) {
    if (!isHostError(error, 'not_running')) throw error;
    return { running: false, connectors: (await stored(host.dataFolder, context)).map(listStored) };
  }
}

async function stored(dataFolder: string, context: CommandContext): Promise<readonly ConnectorRecord[]> {
  const path = join(dataFolder, DATABASE_FILE);
  if (!(await isThere(path))) return [];
  const { openSqliteStores } = await import('../store/sqlite-stores.ts');
  const stores = await openSqliteStores({ path, clock: context.clock });
  try {
    return await stores.connectors.list();
  } finally {
    await stores.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    if (reason === 'ENOENT') return false;
    throw new HostError('unreadable_file', {
      message: `${path} cannot be read (${reason})`,
      data: { path, remedy: 'name the data folder with --data or PORTICO_DATA' },
      cause,
    });
  }
}

function listStored(record: ConnectorRecord): ListedConnector {
  const { status, cause, action } = restingCondition(record);
  return {
    id: record.id,
    name: record.name,
    kind: record.transport.kind,
    target: targetOf(record.transport),
    starts: record.starts,
    status,
    cause: cause.message,
    action,
  };
}

type Target =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'builtin'; readonly module: string };

function targetOf(transport: Target): string {
  switch (transport.kind) {
    case 'stdio':
      return [transport.command, ...transport.args].join(' ');
    case 'http':
      return transport.url;
    case 'builtin':
      return `part of Portico (${transport.module})`;
  }
}

/** Lines of a program's error output that are shown with one connector; `--json` has all that are kept. */
const MAX_LAST_LINES = 3;

/**
 * Columns as wide as their longest cell, with cause, action and last words below whatever needs them. A line end in a
 * name must not look like another row.
 */
function table(connectors: readonly ListedConnector[]): string {
  const header = ['NAME', 'STATE', 'TOOLS', 'RUNS'];
  const cells = connectors.map(({ name, status, tools, target }) =>
    [name, CONNECTOR_STATES[status], tools?.toString() ?? '-', target].map(oneLine),
  );
  const widths = [0, 1, 2].map((column) =>
    Math.max(...[header, ...cells].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const below = ({ status, cause, action, lastLines = [] }: ListedConnector): readonly string[] => {
    if (status === 'ready') return [];
    const words = lastLines.slice(-MAX_LAST_LINES).map((last) => `  | ${oneLine(last)}`);
    return [`  ${oneLine(cause)} [${CONNECTOR_ACTIONS[action]}]`, ...words];
  };
  const rows = connectors.flatMap((connector, index) => [line(cells[index] ?? []), ...below(connector)]);
  return [line(header), ...rows].join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/[\t\n]/g, ' ');
}
