import type { Connector, HostEvent } from '@portico/api';
import type { ConnectionState, Connections } from '@portico/connections';
import { ApiRefusal } from '../api-refusal.ts';
import { HostError } from '../errors.ts';
import type { Log } from '../host-options.ts';
import type { ConnectorRecord, ConnectorStore } from '../ports/stores.ts';
import type { ConnectorTransports } from './connector-transports.ts';
import { connectorView } from './connector-view.ts';

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
  const startErrors = new Map<string, unknown>();
  const waiting = new Set<string>();
  const shown = new Map<string, string>();

  const state = (id: string): ConnectionState | undefined => connections.getSnapshot().get(id);
  const view = (record: ConnectorRecord): Connector =>
    connectorView({
      record,
      state: state(record.id),
      pendingApproval: waiting.has(record.id) ? transports.preview(record) : undefined,
      startError: startErrors.get(record.id),
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
  /** Finds out whether it may run: switched on, found, and approved as it would run now. */
  const mayStart = (record: ConnectorRecord): boolean => {
    waiting.delete(record.id);
    startErrors.delete(record.id);
    if (!record.enabled) return false;
    try {
      const command = transports.preview(record);
      if (command === undefined) return true;
      if (command.resolvedPath === null) throw new HostError('command_not_found');
      if (command.hash === record.approvedHash) return true;
      waiting.add(record.id);
    } catch (error) {
      startErrors.set(record.id, error);
    }
    return false;
  };
  const restart = async (record: ConnectorRecord): Promise<Connector> => {
    if (connections.getSnapshot().has(record.id)) await connections.remove(record.id);
    if (records.has(record.id) && mayStart(record)) connections.add(record.id, record, { connect: true });
    return announce(record);
  };
  /** A command that changed under our feet waits for the person instead of being tried again. */
  const stopRefused = (record: ConnectorRecord): void => {
    const code = state(record.id)?.error?.code;
    if (code !== 'command_not_approved' && code !== 'command_not_found') return;
    mayStart(record);
    connections
      .remove(record.id)
      .catch((error: unknown) => log.error('a connection did not end', { error: String(error) }));
  };
  const unsubscribe = connections.subscribe(() => {
    for (const record of records.values()) {
      stopRefused(record);
      announce(record);
    }
  });
  const recordOf = (id: string): ConnectorRecord => {
    const record = records.get(id);
    if (record === undefined) throw new ApiRefusal('not_found', 'There is no such connector.');
    return record;
  };

  return {
    async start() {
      for (const record of await store.list()) records.set(record.id, record);
      for (const record of records.values()) await restart(record);
    },
    records: () => [...records.values()],
    find: (id) => records.get(id),
    recordOf,
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
      for (const places of [startErrors, waiting, shown]) places.delete(id);
      if (connections.getSnapshot().has(id)) await connections.remove(id);
      options.publish({ type: 'connector.removed', connectorId: id });
    },
    close: unsubscribe,
  };
}
