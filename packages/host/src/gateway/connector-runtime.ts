import { isDeepStrictEqual } from 'node:util';
import type { Connector } from '@portico/api';
import type { ConnectionState, Connections } from '@portico/connections';
import type { Tool } from '@portico/spec';
import type { Log } from '../host-options.ts';
import type { ConnectorRecord, StoredTransport } from '../ports/stores.ts';
import type { ConnectorTransports } from './connector-transports.ts';
import { connectorView } from './connector-view.ts';
import { createStartChecks } from './start-checks.ts';
import { createToolsVersions } from './tools-version.ts';

export interface ConnectorRuntimeOptions {
  readonly connections: Connections;
  readonly transports: ConnectorTransports;
  readonly log: Log;
  /** What pages know of how an account signs in. */
  authOf(record: ConnectorRecord): Connector['auth'];
}

/** `at_once`: somebody wants it now. `as_set`: what is said of it is another thing now. */
export type RestartKind = 'at_once' | 'as_set';

/** What runs of the connectors: opens those that may run and knows how each of them is. */
export interface ConnectorRuntime {
  state(connectorId: string): ConnectionState | undefined;
  view(record: ConnectorRecord): Connector;
  /**
   * Ends what runs and, where it may, begins anew. Settles before the connection is open.
   *
   * @param how `as_set` leaves a connector alone that waits for its first use (K32)
   */
  restart(record: ConnectorRecord, how: RestartKind): Promise<void>;
  /** Ends a connection whose command has changed under our feet: it waits for the person. */
  stopIfRefused(record: ConnectorRecord): void;
  forget(connectorId: string): Promise<void>;
}

const NO_TOOLS: readonly Tool[] = [];

export function createConnectorRuntime(options: ConnectorRuntimeOptions): ConnectorRuntime {
  const { connections, transports, log } = options;
  const checks = createStartChecks(transports);
  const versionOf = createToolsVersions();
  /** What each connector was last started with. */
  const started = new Map<string, StoredTransport>();
  const state = (connectorId: string): ConnectionState | undefined => connections.get(connectorId);
  const end = async (connectorId: string): Promise<void> => {
    if (state(connectorId) !== undefined) await connections.remove(connectorId);
  };
  return {
    state,
    view: (record) =>
      connectorView({
        record,
        state: state(record.id),
        auth: options.authOf(record),
        pendingApproval: checks.pendingApproval(record),
        startError: checks.startError(record.id),
        toolsVersion: versionOf(state(record.id)?.tools ?? NO_TOOLS),
        secrets: () => transports.secretsOf(record),
      }),
    async restart(record, how) {
      const { id, transport } = record;
      if (!checks.mayStart(record)) {
        started.delete(id);
        return await end(id);
      }
      const before = started.get(id);
      started.set(id, transport);
      const waits = how === 'as_set' && record.starts === 'at_first_use';
      const status = state(id)?.status;
      if (status === undefined) return connections.add(id, record, { connect: !waits });
      // In one step, so that no page sees it stopped in between; what it offers is kept where it is the same.
      if (!isDeepStrictEqual(before, transport)) connections.replace(id, record);
      if (waits && status === 'idle') return;
      void (isDeepStrictEqual(before, transport) ? connections.reconnect(id) : connections.connect(id));
    },
    stopIfRefused(record) {
      const code = state(record.id)?.error?.code;
      if (code !== 'command_not_approved' && code !== 'command_not_found') return;
      checks.mayStart(record);
      end(record.id).catch((error: unknown) =>
        log.error('a connection did not end', { error: String(error) }),
      );
    },
    async forget(connectorId) {
      checks.forget(connectorId);
      started.delete(connectorId);
      await end(connectorId);
    },
  };
}
