import type { Connector, ConnectorInput, ConnectorStarts } from '@portico/api';
import { storedValues, toRecord } from './name-values.ts';
import type { NameValue } from './name-values.ts';

export interface ListEntry {
  readonly key: string;
  readonly text: string;
}

/** A connector as it is being typed. */
export interface CommandDraft {
  readonly name: string;
  /** The pasted command line; what runs is `command` with `args`. */
  readonly line: string;
  readonly command: string;
  readonly args: readonly ListEntry[];
  readonly cwd: string;
  readonly env: readonly NameValue[];
  readonly starts: ConnectorStarts;
}

export interface AddressDraft {
  readonly name: string;
  readonly url: string;
  readonly headers: readonly NameValue[];
  readonly starts: ConnectorStarts;
}

export const EMPTY_COMMAND: CommandDraft = {
  name: '',
  line: '',
  command: '',
  args: [],
  cwd: '',
  env: [],
  starts: 'with_portico',
};
export const EMPTY_ADDRESS: AddressDraft = { name: '', url: '', headers: [], starts: 'with_portico' };

export function commandInput(draft: CommandDraft): ConnectorInput {
  const cwd = draft.cwd.trim();
  return {
    name: draft.name.trim(),
    transport: {
      kind: 'stdio',
      command: draft.command,
      args: draft.args.map(({ text }) => text),
      ...(cwd === '' ? {} : { cwd }),
      env: toRecord(draft.env),
    },
    starts: draft.starts,
  };
}

export function addressInput(draft: AddressDraft): ConnectorInput {
  return {
    name: draft.name.trim(),
    transport: { kind: 'http', url: draft.url.trim(), headers: toRecord(draft.headers) },
    starts: draft.starts,
  };
}

export function commandDraftOf(connector: Connector): CommandDraft {
  const { transport } = connector;
  if (transport.kind !== 'stdio') return { ...EMPTY_COMMAND, name: connector.name };
  return {
    name: connector.name,
    line: '',
    command: transport.command,
    args: transport.args.map((text, index) => ({ key: `arg:${index}`, text })),
    cwd: transport.cwd ?? '',
    env: storedValues(transport.envNames),
    starts: connector.starts,
  };
}

export function addressDraftOf(connector: Connector): AddressDraft {
  const { transport } = connector;
  if (transport.kind !== 'http') return { ...EMPTY_ADDRESS, name: connector.name };
  return {
    name: connector.name,
    url: transport.url,
    headers: storedValues(transport.headerNames),
    starts: connector.starts,
  };
}

const WRAPPERS = new Set([
  'npx',
  'uvx',
  'bunx',
  'pnpx',
  'node',
  'python',
  'python3',
  'docker',
  'uv',
  'deno',
  'env',
]);

/** A short name to start from: the package or program that the command runs. */
export function suggestName(command: string, args: readonly string[]): string {
  const program =
    command
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.(exe|cmd)$/i, '') ?? '';
  const word = WRAPPERS.has(program)
    ? args.find((arg) => /^[@\w./-]{2,}$/.test(arg) && !arg.startsWith('-') && arg !== 'run')
    : program;
  return tidy(
    word
      ?.split(/[\\/]/)
      .at(-1)
      ?.replace(/\.[cm]?[jt]s$|\.py$/, '')
      .replace(/@[\w.^~-]+$/, '') ?? program,
  );
}

export function suggestNameOfAddress(url: string): string {
  try {
    const { hostname } = new URL(url);
    const labels = hostname.split('.').filter((label) => !['www', 'mcp', 'api'].includes(label));
    return tidy(labels.length > 1 ? (labels.at(-2) ?? hostname) : (labels[0] ?? hostname));
  } catch {
    return '';
  }
}

const tidy = (word: string): string =>
  word.replace(/^(?:mcp-)?server-|-mcp(?:-server)?$|^mcp-/, '').slice(0, 64);
