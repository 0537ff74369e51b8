import type { Connector, HostEvent } from '@portico/api';
import type { ConnectionState, Connections } from '@portico/connections';
import { ApiRefusal } from '../api-refusal.ts';
import type { Log } from '../host-options.ts';
import type { ConnectorRecord, ConnectorStore } from '../ports/stores.ts';
import type { ConnectorTransports } from './connector-transports.ts';
import { createConnectorAnnouncements } from './connector-announcements.ts';
import { createConnectorRuntime } from './connector-runtime.ts';
import type { RestartKind } from './connector-runtime.ts';

export interface ConnectorRegistryOptions {
  readonly store: ConnectorStore;
  readonly log: Log;
  readonly connections: Connections;
  readonly transports: ConnectorTransports;
  publish(event: HostEvent): void;
  /** What pages know of how an account signs in. */
  authOf(record: ConnectorRecord): Connector['auth'];
  /** An account has come. */
  added(record: ConnectorRecord): Promise<void>;
  /** An account has gone. */
  removed(connectorId: string): Promise<void>;
}

/** Which connectors there are, which of them may run, and what pages know of each. */
export interface ConnectorRegistry {
  /** Reads what is stored; before anything else. */
  load(): Promise<void>;
  /** Begins to connect whatever may be connected and waits for no first use; settles before any of it is ready. */
  start(): Promise<void>;
  records(): readonly ConnectorRecord[];
  find(id: string): ConnectorRecord | undefined;
  /** @throws ApiRefusal not_found */
  recordOf(id: string): ConnectorRecord;
  state(id: string): ConnectionState | undefined;
  view(record: ConnectorRecord): Connector;
  /** Stores the record and connects anew with what it says now, unless it waits for its first use. */
  save(record: ConnectorRecord): Promise<Connector>;
  /** Stores the record; what is open stays open. */
  keep(record: ConnectorRecord): Promise<void>;
  /** Tells pages about a record as it is now. */
  announce(record: ConnectorRecord): Connector;
  /** Ends the connection and, where it may run, opens a new one. */
  restart(record: ConnectorRecord): Promise<Connector>;
  remove(id: string): Promise<void>;
  close(): void;
}

export function createConnectorRegistry(options: ConnectorRegistryOptions): ConnectorRegistry {
  const { store, connections } = options;
  const records = new Map<string, ConnectorRecord>();
  const runtime = createConnectorRuntime(options);
  const announcements = createConnectorAnnouncements((event) => options.publish(event));

  const announce = (record: ConnectorRecord): Connector => {
    const connector = runtime.view(record);
    announcements.announce(connector);
    return connector;
  };
  const restart = async (record: ConnectorRecord, how: RestartKind): Promise<Connector> => {
    await runtime.restart(record, how);
    return announce(record);
  };
  const unsubscribe = connections.subscribe(() => {
    for (const record of records.values()) {
      runtime.stopIfRefused(record);
      announce(record);
    }
  });

  const keep = async (record: ConnectorRecord): Promise<void> => {
    await store.put(record);
    records.set(record.id, record);
    await options.added(record);
  };

  return {
    async load() {
      for (const record of await store.list()) {
        records.set(record.id, record);
        await options.added(record);
      }
    },
    async start() {
      for (const record of records.values()) await restart(record, 'as_set');
    },
    records: () => [...records.values()],
    find: (id) => records.get(id),
    recordOf(id) {
      const record = records.get(id);
      if (record === undefined) throw new ApiRefusal('not_found', 'There is no such connector.');
      return record;
    },
    state: (id) => runtime.state(id),
    view: (record) => runtime.view(record),
    // What is stored is not yet what runs: the two are told as one.
    save: (record) =>
      announcements.quietly(record.id, () => keep(record)).then(() => restart(record, 'as_set')),
    keep,
    announce,
    restart: (record) => restart(record, 'at_once'),
    async remove(id) {
      await store.remove(id);
      records.delete(id);
      await runtime.forget(id);
      await options.removed(id);
      announcements.removed(id);
    },
    close: unsubscribe,
  };
}
