import { ApiRefusal } from '../api-refusal.ts';
import type { SecretBox } from '../ports/secrets.ts';
import type { ConnectorRecord, StoredTransport } from '../ports/stores.ts';
import type { ConnectorRegistry } from './connector-registry.ts';
import { sealTransport } from './sealed-values.ts';

/** Most accounts of one connector. */
const MAX_ACCOUNTS = 10;

/** All accounts of the connector that a record is one of, itself included. */
export function accountsOf(
  registry: Pick<ConnectorRegistry, 'records'>,
  { groupId }: ConnectorRecord,
): readonly ConnectorRecord[] {
  return registry.records().filter((record) => record.groupId === groupId);
}

/** Throws ApiRefusal `conflict` when the connector has as many accounts as it may. */
export function checkRoomForAccount(
  registry: Pick<ConnectorRegistry, 'records'>,
  record: ConnectorRecord,
): void {
  if (accountsOf(registry, record).length < MAX_ACCOUNTS) return;
  throw new ApiRefusal('conflict', `A connector has at most ${MAX_ACCOUNTS} accounts.`);
}

/**
 * The server of a connector as another account uses it.
 *
 * Throws ApiRefusal `bad_request` for a built-in connector, and for a value whose name the server
 * does not take.
 *
 * @param account its id, and its secrets by the name of their variable or header
 */
export function transportOfAccount(
  secrets: SecretBox,
  { transport }: ConnectorRecord,
  {
    connectorId,
    values,
  }: { readonly connectorId: string; readonly values: Readonly<Record<string, string>> },
): StoredTransport {
  if (transport.kind === 'builtin') {
    throw new ApiRefusal('bad_request', 'A built-in connector has one account.');
  }
  const taken = transport.kind === 'http' ? transport.headers : transport.env;
  const foreign = Object.keys(values).filter((name) => !Object.hasOwn(taken, name));
  if (foreign.length > 0) {
    const issues = foreign.map((name) => `values.${name}: is no variable or header of this connector`);
    throw new ApiRefusal('bad_request', 'The account cannot be added like this.', issues);
  }
  const input =
    transport.kind === 'http'
      ? { kind: 'http' as const, url: transport.url, headers: values }
      : { ...transport, args: [...transport.args], env: values };
  return sealTransport(secrets, { connectorId, input, previous: undefined });
}

/** An account's server after another account of the connector was changed; its secrets stay its own. */
export function withSharedParts(own: StoredTransport, changed: StoredTransport): StoredTransport {
  if (changed.kind === 'http') return { ...changed, headers: own.kind === 'http' ? own.headers : {} };
  if (changed.kind === 'stdio') return { ...changed, env: own.kind === 'stdio' ? own.env : {} };
  return changed;
}
