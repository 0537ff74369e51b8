import type { Connector, HostEvent } from '@portico/api';
import type { ConnectionState, Connections } from '@portico/connections';
import { ApiRefusal } from '../api-refusal.ts';
import type { Log } from '../host-options.ts';
import type { ConnectorRecord, ConnectorStore } from '../ports/stores.ts';
import type { ConnectorTransports } from './connector-transports.ts';
import { connectorView } from './connector-view.ts';
import { createStartChecks } from './start-checks.ts';

export interface ConnectorRegistryOptions {
  readonly store: ConnectorStore;
  readonly log: Log;
  readonly connections: Connections;
  readonly transports: ConnectorTransports;
  publish(event: HostEvent): void;
}

/** Which connectors there are, which of them may run, and what pages know of each. */
export interface ConnectorRegistry {
  /** Loads what is stored and begins to connect whatever may be connected. */
  start(): Promise<void>;
  records(): readonly ConnectorRecord[];
  find(id: string): ConnectorRecord | undefined;
  /** @throws ApiRefusal not_found */
  recordOf(id: string): ConnectorRecord;
  state(id: string): ConnectionState | undefined;
  view(record: ConnectorRecord): Connector;
  /** Stores the record and connects anew with what it says now. */
  save(record: ConnectorRecord): Promise<Connector>;
  /** Ends the connection and, where it may run, opens a new one. */
  restart(record: ConnectorRecord): Promise<Connector>;
  remove(id: string): Promise<void>;
  close(): void;
}

export function createConnectorRegistry(options: ConnectorRegistryOptions): ConnectorRegistry {
  const { store, log, connections, transports } = options;
  const records = new Map<string, ConnectorRecord>();
  const checks = createStartChecks(transports);
  /** Connector → what pages know of it, as JSON. */
  const shown = new Map<string, string>();

  const state = (id: string): ConnectionState | undefined => connections.getSnapshot().get(id);
  const view = (record: ConnectorRecord): Connector =>
    connectorView({
      record,
      state: state(record.id),
      pendingApproval: checks.pendingApproval(record),
      startError: checks.startError(record.id),
    });
  /** Tells pages about a connector when what they see of it has changed. */
  const announce = (record: ConnectorRecord): Connector => {
    const connector = view(record);
    const text = JSON.stringify(connector);
    if (shown.get(record.id) !== text) {
      shown.set(record.id, text);
      options.publish({ type: 'connector.changed', connector });
    }
    return connector;
  };
  const end = async (id: string): Promise<void> => {
    if (connections.getSnapshot().has(id)) await connections.remove(id);
  };
  const restart = async (record: ConnectorRecord): Promise<Connector> => {
    await end(record.id);
    if (records.has(record.id) && checks.mayStart(record)) connections.add(record.id, record, { connect: true });
    return announce(record);
  };
  /** A command that changed under our feet waits for the person instead of being tried again. */
  const stopRefused = (record: ConnectorRecord): void => {
    const code = state(record.id)?.error?.code;
    if (code !== 'command_not_approved' && code !== 'command_not_found') return;
    checks.mayStart(record);
    end(record.id).catch((error: unknown) => log.error('a connection did not end', { error: String(error) }));
  };
  const unsubscribe = connections.subscribe(() => {
    for (const record of records.values()) {
      stopRefused(record);
      announce(record);
    }
  });

  return {
    async start() {
      for (const record of await store.list()) records.set(record.id, record);
      for (const record of records.values()) await restart(record);
    },
    records: () => [...records.values()],
    find: (id) => records.get(id),
    recordOf(id) {
      const record = records.get(id);
      if (record === undefined) throw new ApiRefusal('not_found', 'There is no such connector.');
      return record;
    },
    state,
    view,
    async save(record) {
      await store.put(record);
      records.set(record.id, record);
      return await restart(record);
    },
    restart,
    async remove(id) {
      await store.remove(id);
      records.delete(id);
      checks.forget(id);
      shown.delete(id);
      await end(id);
      options.publish({ type: 'connector.removed', connectorId: id });
    },
    close: unsubscribe,
  };
}
