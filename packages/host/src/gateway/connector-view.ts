import type { CommandPreview, Connector, ConnectorProblem, ConnectorTransport } from '@portico/api';
import type { ConnectionState } from '@portico/connections';
import type { ConnectorRecord, StoredTransport } from '../ports/stores.ts';
import { conditionOf, isLive } from './connector-condition.ts';
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
  /** Names the list of its tools. */
  readonly toolsVersion: string;
  /** Answers the connector's secrets, by name; asked for only where its server's words are shown. */
  readonly secrets: () => Readonly<Record<string, string>>;
}

/** A connector as pages see it: no secret value, and one of the eight states (K27, K34). */
export function connectorView(facts: ConnectorFacts): Connector {
  const { record, state, pendingApproval } = facts;
  const condition = conditionOf({ ...facts, waitsForApproval: pendingApproval !== undefined });
  const { status, cause, action } = condition;
  const problem =
    condition.problem === undefined ? undefined : withoutSecrets(condition.problem, facts.secrets());
  const server = isLive(status) ? serverOf(state) : undefined;
  return {
    id: record.id,
    name: record.name,
    label: record.label,
    groupId: record.groupId,
    transport: visibleTransport(record.transport),
    enabled: record.enabled,
    starts: record.starts,
    status,
    cause: problem === undefined ? cause : { kind: 'problem', message: problem.message },
    action,
    ...(problem === undefined ? {} : { problem }),
    ...(record.enabled && pendingApproval !== undefined ? { pendingApproval } : {}),
    ...(server === undefined ? {} : { server }),
    ...(facts.auth === undefined ? {} : { auth: facts.auth }),
    toolCount: isLive(status) ? (state?.tools.length ?? 0) : 0,
    toolsVersion: facts.toolsVersion,
    createdAtMs: record.createdAtMs,
  };
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
