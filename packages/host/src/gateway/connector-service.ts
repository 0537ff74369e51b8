import type { Connector, ConnectorInput, ImportEntry, ToolInfo } from '@portico/api';
import type { ConnectionState } from '@portico/connections';
import { ApiRefusal } from '../api-refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { ResealReport, SecretBox } from '../ports/secrets.ts';
import type { ConnectorRecord, StoredTransport } from '../ports/stores.ts';
import { newId } from '../random-ids.ts';
import type { ConnectorRegistry } from './connector-registry.ts';
import type { ConnectorTransports } from './connector-transports.ts';
import { readImportText } from './import-text.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { resealTransport, sealTransport } from './sealed-values.ts';
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
  /** Adds a server that is part of the host. */
  createBuiltin(name: string, module: string): Promise<Connector>;
  update(id: string, input: ConnectorInput): Promise<Connector>;
  remove(id: string): Promise<void>;
  setEnabled(id: string, enabled: boolean): Promise<Connector>;
  /** @throws ApiRefusal conflict when the command is no longer the one that was shown */
  approve(id: string, hash: string): Promise<Connector>;
  reconnect(id: string): Promise<Connector>;
  tools(id: string): ToolInfo[];
  previewImport(text: string): ImportEntry[];
  /** Seals stored values anew that are sealed with an earlier key; connections go on. */
  reseal(): Promise<ResealReport>;
}

export function createConnectorService(options: ConnectorServiceOptions): ConnectorService {
  const { registry, secrets, clock } = options;
  const queue = createKeyedQueue();
  const inOrder = <T>(id: string, work: (record: ConnectorRecord) => Promise<T>): Promise<T> =>
    queue.run(id, () => work(registry.recordOf(id)));
  const names = createNames(registry);
  // One key for all additions, so that two at once cannot pass the limit.
  const add = (name: string, transportFor: (id: string) => StoredTransport): Promise<Connector> =>
    queue.run('new', async () => {
      if (registry.records().length >= MAX_CONNECTORS) {
        throw new ApiRefusal('conflict', `There are ${MAX_CONNECTORS} connectors already.`);
      }
      const id = newId('connector');
      const transport = transportFor(id);
      const createdAtMs = clock.now();
      const record = { id, name, transport, enabled: true, approvedHash: null, createdAtMs };
      return await names.hold(name, id, () => registry.save(record));
    });
  return {
    list: () => registry.records().map((record) => registry.view(record)),
    get: (id) => registry.view(registry.recordOf(id)),
    record: (id) => registry.find(id),
    records: () => registry.records(),
    state: (id) => registry.state(id),
    create: (input) =>
      add(input.name, (connectorId) =>
        sealTransport(secrets, { connectorId, input: input.transport, previous: undefined }),
      ),
    createBuiltin: (name, module) => add(name, () => ({ kind: 'builtin', module })),
    update: (id, input) =>
      inOrder(id, (record) => names.hold(input.name, id, () => update(options, record, input))),
    remove: (id) => inOrder(id, () => registry.remove(id)),
    setEnabled: (id, enabled) => inOrder(id, (record) => registry.save({ ...record, enabled })),
    approve: (id, hash) => inOrder(id, (record) => approve(options, record, hash)),
    reconnect: (id) =>
      inOrder(id, async (record) => {
        if (!record.enabled) throw new ApiRefusal('conflict', 'The connector is switched off.');
        return await registry.restart(record);
      }),
    tools: (id) => (registry.state(registry.recordOf(id).id)?.tools ?? []).map(toolInfo),
    previewImport: (text) => readImportText(text, registry.records()),
    async reseal() {
      const reports: ResealReport[] = [];
      for (const { id } of registry.records()) {
        // One that was removed meanwhile has nothing left to seal.
        if (registry.find(id) !== undefined)
          reports.push(await inOrder(id, (record) => reseal(options, record)));
      }
      return {
        renewed: reports.reduce((sum, { renewed }) => sum + renewed, 0),
        unreadable: reports.reduce((sum, { unreadable }) => sum + unreadable, 0),
      };
    },
  };
}

/** Who may be called what. */
function createNames(registry: Pick<ConnectorRegistry, 'records'>) {
  /** Names that changes under way will have taken. */
  const held = new Set<string>();
  return {
    /**
     * Keeps a name for a change until it is stored, so that two changes at once cannot take the same.
     * @throws ApiRefusal conflict for a name that another connector has or gets
     */
    async hold<T>(name: string, id: string, change: () => Promise<T>): Promise<T> {
      const isTaken = registry.records().some((record) => record.name === name && record.id !== id);
      if (isTaken || held.has(name)) {
        throw new ApiRefusal('conflict', `A connector called "${name}" exists already; choose another name.`);
      }
      held.add(name);
      try {
        return await change();
      } finally {
        held.delete(name);
      }
    },
  };
}

async function update(
  { registry, secrets }: ConnectorServiceOptions,
  record: ConnectorRecord,
  input: ConnectorInput,
): Promise<Connector> {
  if (record.transport.kind === 'builtin') {
    throw new ApiRefusal('bad_request', 'A built-in connector cannot be changed.');
  }
  const seal = { connectorId: record.id, input: input.transport, previous: record.transport };
  return await registry.save({ ...record, name: input.name, transport: sealTransport(secrets, seal) });
}

async function reseal(
  { registry, secrets }: ConnectorServiceOptions,
  record: ConnectorRecord,
): Promise<ResealReport> {
  const { transport, renewed, unreadable } = resealTransport(secrets, record);
  if (renewed > 0) await registry.keep({ ...record, transport });
  return { renewed, unreadable };
}

async function approve(
  { registry, transports }: ConnectorServiceOptions,
  record: ConnectorRecord,
  hash: string,
): Promise<Connector> {
  const command = transports.preview(record);
  if (command === undefined) throw new ApiRefusal('bad_request', 'This connector runs no command.');
  if (command.resolvedPath !== null && command.hash === hash) {
    return await registry.save({ ...record, approvedHash: hash });
  }
  await registry.restart(record);
  throw new ApiRefusal('conflict', 'The command has changed since it was shown. Look at it again.');
}
