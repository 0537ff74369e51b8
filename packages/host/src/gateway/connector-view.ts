import type {
  CommandPreview,
  Connector,
  ConnectorProblem,
  ConnectorStatus,
  ConnectorTransport,
} from '@portico/api';
import type { ConnectionState } from '@portico/connections';
import type { ConnectorRecord, StoredTransport } from '../ports/stores.ts';
import { describeProblem } from './problems.ts';
import { secretHider } from './secret-hider.ts';

/** Longest name or version of a server that is shown, in UTF-16 units. */
const MAX_SERVER_TEXT = 200;

export interface ConnectorFacts {
  readonly record: ConnectorRecord;
  readonly state: ConnectionState | undefined;
  readonly auth: Connector['auth'];
  /** The command waits for the person. */
  readonly pendingApproval: CommandPreview | undefined;
  /** Found before any connection was tried. */
  readonly startError: unknown;
  /** Answers the connector's secrets, by name; asked for only where its server's words are shown. */
  readonly secrets: () => Readonly<Record<string, string>>;
}

/** A connector as pages see it: no secret value, and one of the eight states (K27, K34). */
export function connectorView(facts: ConnectorFacts): Connector {
  const { record, state, pendingApproval } = facts;
  const status = statusOf(facts);
  const problem = problemOf(facts, status);
  const isLive = status === 'ready' || status === 'degraded';
  const server = isLive ? serverOf(state) : undefined;
  return {
    id: record.id,
    name: record.name,
    label: record.label,
    groupId: record.groupId,
    transport: visibleTransport(record.transport),
    enabled: record.enabled,
    status,
    ...(problem === undefined ? {} : { problem }),
    ...(record.enabled && pendingApproval !== undefined ? { pendingApproval } : {}),
    ...(server === undefined ? {} : { server }),
    ...(facts.auth === undefined ? {} : { auth: facts.auth }),
    toolCount: isLive ? (state?.tools.length ?? 0) : 0,
    createdAtMs: record.createdAtMs,
  };
}

function statusOf(facts: ConnectorFacts): ConnectorStatus {
  if (!facts.record.enabled) return 'disabled';
  if (facts.pendingApproval !== undefined) return 'stopped';
  if (facts.startError !== undefined) return 'failed';
  const status = facts.state?.status ?? 'stopped';
  return status === 'idle' ? 'stopped' : status;
}

function problemOf(facts: ConnectorFacts, status: ConnectorStatus): ConnectorProblem | undefined {
  if (status === 'disabled' || facts.pendingApproval !== undefined) return undefined;
  const error = facts.startError ?? facts.state?.error;
  // Stopped with an error means given up after crashing too often; stopped on purpose has none.
  const isTrouble =
    status === 'failed' ||
    status === 'needs_sign_in' ||
    status === 'degraded' ||
    (status === 'stopped' && error !== undefined);
  if (!isTrouble && !(status === 'connecting' && error !== undefined)) return undefined;
  const stderrTail = facts.startError === undefined ? facts.state?.error?.stderrTail : undefined;
  return withoutSecrets(describeProblem(error, stderrTail), facts.secrets());
}

/** Programs that fail like to print what they were given, and servers what they were sent (K34). */
function withoutSecrets(
  problem: ConnectorProblem,
  secrets: Readonly<Record<string, string>>,
): ConnectorProblem {
  const hide = secretHider(secrets);
  const { message, facts, stderrTail } = problem;
  return {
    ...problem,
    message: hide(message),
    facts: Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, hide(fact)])),
    ...(stderrTail === undefined ? {} : { stderrTail: stderrTail.map(hide) }),
  };
}

function serverOf(state: ConnectionState | undefined): Connector['server'] {
  if (state?.server === undefined || state.era === undefined || state.protocolVersion === undefined)
    return undefined;
  const { name, title, version } = state.server;
  return {
    name: name.slice(0, MAX_SERVER_TEXT),
    ...(title === undefined ? {} : { title: title.slice(0, MAX_SERVER_TEXT) }),
    version: version.slice(0, MAX_SERVER_TEXT),
    era: state.era,
    protocolVersion: state.protocolVersion,
  };
}

function visibleTransport(transport: StoredTransport): ConnectorTransport {
  switch (transport.kind) {
    case 'stdio':
      return {
        kind: 'stdio',
        command: transport.command,
        args: [...transport.args],
        ...(transport.cwd === undefined ? {} : { cwd: transport.cwd }),
        envNames: Object.keys(transport.env).sort(),
      };
    case 'http':
      return { kind: 'http', url: transport.url, headerNames: Object.keys(transport.headers).sort() };
    case 'builtin':
      return { kind: 'builtin', module: transport.module };
  }
}
