import type { Connector, ConnectorStatus } from '@portico/api';

const STATES: Readonly<Record<ConnectorStatus, string>> = {
  connecting: 'is not connected yet',
  ready: 'was opened anew just now',
  degraded: 'was opened anew just now',
  needs_sign_in: 'needs a sign-in',
  failed: 'could not be connected',
  stopped: 'is stopped',
  disabled: 'is switched off',
};

/** Says in which state a connector is that cannot be used, why, and where that is put right. */
export function unusableText(connector: Connector): string {
  const { name, label, status, problem, pendingApproval } = connector;
  const account = label === '' ? `"${name}"` : `"${name}" (${label})`;
  const state = pendingApproval === undefined ? STATES[status] : 'waits for its command to be approved';
  const why = problem === undefined ? '' : ` ${problem.message}`;
  return `The connector ${account} ${state}.${why} Open it on the Connectors page of Portico.`;
}
