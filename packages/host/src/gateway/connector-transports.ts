import { homedir } from 'node:os';
import { getDefaultEnvironment } from '@portico/client/stdio';
import type { ChildKeeper } from '@portico/client/stdio';
import { openServer } from '@portico/connections/node';
import type { CommandPreview } from '@portico/api';
import { createMemoryTransportPair } from '@portico/rpc';
import type { AuthProvider } from '@portico/oauth';
import type { Transport } from '@portico/rpc';
import { HostError, isHostError } from '../errors.ts';
import { createAddressGuard } from '../net/address-guard.ts';
import { reachOf } from '../net/reach.ts';
import type { Clock } from '../ports/clock.ts';
import type { SecretBox } from '../ports/secrets.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import { hasOwnAuthorization } from './own-authorization.ts';
import { previewCommand } from './command-preview.ts';
import { openHeaders, openVariables } from './sealed-values.ts';

/** A server that runs inside the host; `connect` is called once a connection. */
export interface BuiltinServer {
  connect(transport: Transport): Promise<void>;
}

export interface ConnectorTransportOptions {
  readonly secrets: SecretBox;
  readonly clock: Clock;
  /** Keeps account of the programs that are started. */
  readonly keeper?: ChildKeeper | undefined;
  /** Tokens for a server that is reached over HTTP. */
  readonly tokensFor: (record: ConnectorRecord) => AuthProvider | undefined;
  /** Module name → a fresh server for one connection. */
  readonly builtins: Readonly<Record<string, () => BuiltinServer>>;
}

export interface ConnectorTransports {
  /**
   * Makes the channel of one connection attempt. The one place that starts commands: it looks again
   * whether the person approved exactly what would run now (K19, K20).
   * @throws HostError command_not_approved, command_not_found, secret_unreadable
   */
  create(record: ConnectorRecord): Transport;
  /** The command as it would run now, or undefined where no command runs. */
  preview(record: ConnectorRecord): CommandPreview | undefined;
  /** What its server was given in confidence, to keep it out of what is shown; nothing where it cannot be read. */
  secretsOf(record: ConnectorRecord): Readonly<Record<string, string>>;
}

export function createConnectorTransports(options: ConnectorTransportOptions): ConnectorTransports {
  const { secrets, clock, builtins, keeper } = options;

  const preview = (record: ConnectorRecord): CommandPreview | undefined => {
    const { transport } = record;
    if (transport.kind !== 'stdio') return undefined;
    const inherited = getDefaultEnvironment();
    const ownPath = 'PATH' in transport.env ? openVariables(secrets, record)['PATH'] : undefined;
    return previewCommand({
      command: transport.command,
      args: transport.args,
      cwd: transport.cwd ?? homedir(),
      envNames: Object.keys(transport.env),
      searchPath: ownPath ?? inherited['PATH'] ?? '',
    });
  };
  const startChild = (record: ConnectorRecord): Transport => {
    const command = preview(record);
    if (command === undefined || command.resolvedPath === null) {
      throw new HostError('command_not_found', { data: { command: command?.command } });
    }
    if (command.hash !== record.approvedHash) throw new HostError('command_not_approved');
    const { resolvedPath, args, cwd } = command;
    return openServer(
      { kind: 'stdio', command: resolvedPath, args, cwd, env: openVariables(secrets, record) },
      { clock, ...(keeper === undefined ? {} : { keeper }) },
    );
  };

  return {
    preview,
    secretsOf(record) {
      try {
        return { ...openVariables(secrets, record), ...openHeaders(secrets, record) };
      } catch (error) {
        if (isHostError(error, 'secret_unreadable')) return {};
        throw error;
      }
    },
    create(record) {
      const { transport } = record;
      switch (transport.kind) {
        case 'stdio':
          return startChild(record);
        case 'http':
          return openRemote(record, transport.url, options);
        case 'builtin':
          return connectBuiltin(transport.module, builtins);
      }
    },
  };
}

function connectBuiltin(module: string, builtins: ConnectorTransportOptions['builtins']): Transport {
  const create = Object.hasOwn(builtins, module) ? builtins[module] : undefined;
  if (create === undefined)
    throw new HostError('unexpected', { message: `there is no built-in server ${module}` });
  const [ours, theirs] = createMemoryTransportPair();
  // A server that cannot start closes its end, which the client sees as a closed connection.
  create()
    .connect(theirs)
    .catch(() => theirs.close());
  return ours;
}

function openRemote(
  record: ConnectorRecord,
  url: string,
  { secrets, clock, tokensFor }: ConnectorTransportOptions,
): Transport {
  const headers = openHeaders(secrets, record);
  const authProvider = hasOwnAuthorization(record) ? undefined : tokensFor(record);
  return openServer(
    { kind: 'http', url, headers, ...(authProvider === undefined ? {} : { authProvider }) },
    { clock, guard: createAddressGuard({ mayReach: reachOf(url) }) },
  );
}
