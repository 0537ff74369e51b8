import { isDeepStrictEqual } from 'node:util';
import type { Connector, ConnectorInput } from '@portico/api';
import { ApiRefusal } from '../api-refusal.ts';
import type { ResealReport, SecretBox } from '../ports/secrets.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import { accountsOf, withSharedParts } from './connector-accounts.ts';
import type { ConnectorRegistry } from './connector-registry.ts';
import type { ConnectorTransports } from './connector-transports.ts';
import { resealTransport, sealTransport } from './sealed-values.ts';

interface ChangeOptions {
  readonly registry: ConnectorRegistry;
  readonly secrets: SecretBox;
}

/**
 * Changes a connector. Name and server are those of all its accounts, so the others follow; secrets
 * are each account's own.
 */
export async function updateGroup(
  { registry, secrets }: ChangeOptions,
  record: ConnectorRecord,
  input: ConnectorInput,
): Promise<Connector> {
  if (record.transport.kind === 'builtin') {
    throw new ApiRefusal('bad_request', 'A built-in connector cannot be changed.');
  }
  const seal = { connectorId: record.id, input: input.transport, previous: record.transport };
  const shared = { name: input.name, starts: input.starts ?? record.starts };
  const changed = { ...record, ...shared, transport: sealTransport(secrets, seal) };
  for (const other of accountsOf(registry, record)) {
    if (other.id === record.id) continue;
    const transport = withSharedParts(other.transport, changed.transport);
    const followed = { ...other, ...shared, transport };
    // Whose server stays the same goes on with it: what changed are the other one's own secrets (K50).
    if (isDeepStrictEqual(transport, other.transport)) await keepOpen(registry, followed);
    else await registry.save(followed);
  }
  const { starts } = record;
  // When it is to start from now on is no reason to end what runs.
  if (changed.starts !== starts && isDeepStrictEqual({ ...changed, starts }, record))
    return await keepOpen(registry, changed);
  return await registry.save(changed);
}

/** What waited for its first use and is to start with Portico has nothing left to wait for. */
async function keepOpen(registry: ConnectorRegistry, record: ConnectorRecord): Promise<Connector> {
  await registry.keep(record);
  const waits = record.starts === 'with_portico' && registry.state(record.id)?.status === 'idle';
  return waits ? await registry.restart(record) : registry.announce(record);
}

/** Lets exactly the command run that the person was shown. */
export async function approveCommand(
  {
    registry,
    transports,
  }: Pick<ChangeOptions, 'registry'> & { transports: Pick<ConnectorTransports, 'preview'> },
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

/** Seals values anew that are sealed with an earlier key; what is open stays open. */
export async function resealConnector(
  { registry, secrets }: ChangeOptions,
  record: ConnectorRecord,
): Promise<ResealReport> {
  const { transport, renewed, unreadable } = resealTransport(secrets, record);
  if (renewed > 0) await registry.keep({ ...record, transport });
  return { renewed, unreadable };
}
