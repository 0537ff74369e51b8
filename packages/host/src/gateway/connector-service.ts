import type {
  AccountInput,
  Connector,
  ConnectorInput,
  ConnectorStarts,
  ImportEntry,
  ToolInfo,
} from '@portico/api';
import type { ConnectionState } from '@portico/connections';
import { ApiRefusal } from '../api-refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { ResealReport, SecretBox } from '../ports/secrets.ts';
import type { ConnectorRecord, StoredTransport } from '../ports/stores.ts';
import { newId } from '../random-ids.ts';
import { checkRoomForAccount, transportOfAccount } from './connector-accounts.ts';
import { approveCommand, resealConnector, updateGroup } from './connector-changes.ts';
import { createConnectorClaims } from './connector-claims.ts';
import type { ConnectorClaims } from './connector-claims.ts';
import type { ConnectorRegistry } from './connector-registry.ts';
import type { ConnectorTransports } from './connector-transports.ts';
import { readImportText } from './import-text.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import { sealTransport } from './sealed-values.ts';
import { toolInfo } from './tool-info.ts';

/** Most connectors of a person. */
const MAX_CONNECTORS = 200;

export interface ConnectorServiceOptions {
  readonly registry: ConnectorRegistry;
  readonly transports: Pick<ConnectorTransports, 'preview'>;
  readonly secrets: SecretBox;
  readonly clock: Clock;
}

/** What people do with their connectors. Changes of one connector happen one after another. */
export interface ConnectorService {
  list(): Connector[];
  get(id: string): Connector;
  record(id: string): ConnectorRecord | undefined;
  records(): readonly ConnectorRecord[];
  state(id: string): ConnectionState | undefined;
  /** @throws ApiRefusal conflict for a name that is taken */
  create(input: ConnectorInput): Promise<Connector>;
  /**
   * Adds another account of the same server: with secrets of its own, of the names that the server takes.
   * Throws ApiRefusal `conflict` for a label that is taken and beyond 10 accounts, `bad_request` for a
   * built-in connector and for a name that the server does not take.
   */
  addAccount(id: string, account: AccountInput): Promise<Connector>;
  /** Calls an account something else; what is open stays open. */
  relabel(id: string, label: string): Promise<Connector>;
  /** Adds a server that is part of the host. */
  createBuiltin(name: string, module: string): Promise<Connector>;
  update(id: string, input: ConnectorInput): Promise<Connector>;
  remove(id: string): Promise<void>;
  setEnabled(id: string, enabled: boolean): Promise<Connector>;
  /** @throws ApiRefusal conflict when the command is no longer the one that was shown */
  approve(id: string, hash: string): Promise<Connector>;
  reconnect(id: string): Promise<Connector>;
  /** Ends the connection and, where it may run, opens a new one. */
  restart(id: string): Promise<Connector>;
  tools(id: string): ToolInfo[];
  previewImport(text: string): ImportEntry[];
  /** Seals stored values anew that are sealed with an earlier key; connections go on. */
  reseal(): Promise<ResealReport>;
}

interface Addition {
  readonly name: string;
  readonly label?: string;
  readonly groupId?: string;
  readonly starts?: ConnectorStarts | undefined;
  transportFor(id: string): StoredTransport;
}

export function createConnectorService(options: ConnectorServiceOptions): ConnectorService {
  const { registry, secrets, clock } = options;
  const queue = createKeyedQueue();
  const inOrder = <T>(id: string, work: (record: ConnectorRecord) => Promise<T>): Promise<T> =>
    queue.run(registry.recordOf(id).groupId, () => work(registry.recordOf(id)));
  const claims = createConnectorClaims(registry);
  const add = createAdding({ registry, clock, queue, claims });
  return {
    list: () => registry.records().map((record) => registry.view(record)),
    get: (id) => registry.view(registry.recordOf(id)),
    record: (id) => registry.find(id),
    records: () => registry.records(),
    state: (id) => registry.state(id),
    create: (input) =>
      add({
        name: input.name,
        starts: input.starts,
        transportFor: (connectorId) =>
          sealTransport(secrets, { connectorId, input: input.transport, previous: undefined }),
      }),
    createBuiltin: (name, module) => add({ name, transportFor: () => ({ kind: 'builtin', module }) }),
    addAccount: (id, { label, values }) =>
      inOrder(id, (record) => {
        checkRoomForAccount(registry, record);
        const { name, groupId, starts } = record;
        const transportFor = (connectorId: string): StoredTransport =>
          transportOfAccount(secrets, record, { connectorId, values });
        return add({ name, label, groupId, starts, transportFor });
      }),
    relabel: (id, label) =>
      inOrder(id, (record) =>
        claims.hold({ ...record, label }, async () => {
          const relabelled = { ...record, label };
          await registry.keep(relabelled);
          return registry.announce(relabelled);
        }),
      ),
    update: (id, input) =>
      inOrder(id, (record) =>
        claims.hold({ ...record, name: input.name }, () => updateGroup({ registry, secrets }, record, input)),
      ),
    remove: (id) => inOrder(id, () => registry.remove(id)),
    setEnabled: (id, enabled) => inOrder(id, (record) => registry.save({ ...record, enabled })),
    approve: (id, hash) => inOrder(id, (record) => approveCommand(options, record, hash)),
    reconnect: (id) =>
      inOrder(id, async (record) => {
        if (!record.enabled) throw new ApiRefusal('conflict', 'The connector is switched off.');
        return await registry.restart(record);
      }),
    restart: (id) => inOrder(id, (record) => registry.restart(record)),
    tools: (id) => (registry.state(registry.recordOf(id).id)?.tools ?? []).map(toolInfo),
    previewImport: (text) => readImportText(text, registry.records()),
    reseal: () =>
      resealAll(registry, (id) => inOrder(id, (record) => resealConnector({ registry, secrets }, record))),
  };
}

interface AddingOptions extends Pick<ConnectorServiceOptions, 'registry' | 'clock'> {
  readonly queue: KeyedQueue;
  readonly claims: ConnectorClaims;
}

function createAdding({ registry, clock, queue, claims }: AddingOptions) {
  // One key for all additions, so that two at once cannot pass the limit.
  return (addition: Addition): Promise<Connector> =>
    queue.run('new', async () => {
      if (registry.records().length >= MAX_CONNECTORS) {
        throw new ApiRefusal('conflict', `There are ${MAX_CONNECTORS} connectors already.`);
      }
      const id = newId('connector');
      const { name, label = '', groupId = id, starts = 'with_portico' } = addition;
      const base = { id, name, label, groupId, transport: addition.transportFor(id) };
      const record = { ...base, enabled: true, starts, approvedHash: null, createdAtMs: clock.now() };
      return await claims.hold(base, () => registry.save(record));
    });
}

async function resealAll(
  registry: Pick<ConnectorRegistry, 'records' | 'find'>,
  reseal: (id: string) => Promise<ResealReport>,
): Promise<ResealReport> {
  let renewed = 0;
  let unreadable = 0;
  for (const { id } of registry.records()) {
    // One that was removed meanwhile has nothing left to seal.
    if (registry.find(id) === undefined) continue;
    const report = await reseal(id);
    renewed += report.renewed;
    unreadable += report.unreadable;
  }
  return { renewed, unreadable };
}
