import { CONNECTOR_STATES } from '@portico/api';
import type { Connector } from '@portico/api';

/** Says in which state a connector is that cannot be used, why, and where that is put right. */
export function unusableText({ name, label, status, cause }: Connector): string {
  const account = label === '' ? `"${name}"` : `"${name}" (${label})`;
  const state = CONNECTOR_STATES[status];
  return `The connector ${account} cannot be used now (${state}). ${cause.message} Open it on the Connectors page of Portico.`;
}
