import { CONNECTOR_PROBLEMS, fillText } from '@portico/api';
import { failureOf } from '@portico/client';
import type { ClientFailure } from '@portico/client';
import type { ConnectorProblem, ConnectorProblemFacts, ConnectorProblemKind } from '@portico/api';

/** Most causes that are looked through. */
const MAX_CAUSES = 8;

/** Longest detail taken over from a server or the system, in characters. */
const MAX_DETAIL = 300;

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A kind of problem with the facts that its sentences name. */
interface Explained {
  readonly kind: ConnectorProblemKind;
  readonly facts?: ConnectorProblemFacts;
}

type Explanation = ConnectorProblemKind | ((failure: Failure) => Explained);

/** Codes of the client and connection layers, each with the kind of problem it is. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  STDIO_COMMAND_NOT_FOUND: commandNotFound,
  command_not_found: commandNotFound,
  STDIO_NOT_EXECUTABLE: 'notExecutable',
  STDIO_FOLDER_NOT_FOUND: 'folderNotFound',
  STDIO_SPAWN_FAILED: ({ message }) => ({ kind: 'spawnFailed', facts: { reason: message } }),
  STDIO_EXITED: processEnded,
  CLIENT_HTTP_NETWORK: notReached,
  CLIENT_HTTP_AUTHENTICATION: 'signIn',
  needs_sign_in: 'signIn',
  CLIENT_HTTP_FORBIDDEN: ({ data }) => ({ kind: 'afterSignIns' in data ? 'stillRefused' : 'forbidden' }),
  // A server that was open until now names no scope: it wants a sign-in as such.
  insufficient_scope: ({ data }) => ({
    kind: typeof Reflect.get(data, 'requiredScope') === 'string' ? 'moreScopes' : 'signIn',
  }),
  CLIENT_HTTP_NOT_IMPLEMENTED: statusRefused,
  CLIENT_HTTP_UNEXPECTED_CONTENT: 'noMessages',
  CLIENT_HTTP_FAILED_TO_OPEN_STREAM: statusRefused,
  UNSUPPORTED_PROTOCOL_VERSION: 'noSharedVersion',
  ERA_NEGOTIATION_FAILED: 'notMcp',
  INVALID_RESULT: 'brokenAnswer',
  INVALID_MESSAGE: 'noMessage',
  MESSAGE_TOO_LARGE: 'tooLarge',
  REQUEST_TIMEOUT: 'timeout',
  ping_missed: 'pingMissed',
  connection_lost: 'connectionLost',
  not_ready: 'notReady',
  timeout: 'timeout',
  CONNECTION_CLOSED: 'closed',
  secret_unreadable: 'secretUnreadable',
};

/**
 * Says what went wrong with a connector and what to do about it: as a kind with facts, for catalogues,
 * and as English sentences.
 * @param error whatever the layers below reported; its causes are looked through
 * @param stderrTail last lines of the child's error output, already cleaned and bounded
 */
export function describeProblem(error: unknown, stderrTail: readonly string[] = []): ConnectorProblem {
  const failures = failuresOf(error);
  const known = failures.filter(({ code }) => Object.hasOwn(EXPLANATIONS, code));
  // That the connection closed says little where the reason stands behind it.
  const failure = known.find(({ code }) => code !== 'CONNECTION_CLOSED') ?? known[0] ?? failures[0];
  const { kind, facts = {} } = isRenewalTrouble(error) ? RENEWAL_FAILED : explain(failure);
  const { message, remedy } = CONNECTOR_PROBLEMS[kind];
  return {
    kind,
    facts,
    code: failure?.code ?? 'unknown',
    message: fillText(message, facts).slice(0, 2 * MAX_DETAIL),
    remedy,
    ...(stderrTail.length > 0 ? { stderrTail: [...stderrTail] } : {}),
  };
}

/** What servers of a sign-in say in their trouble may repeat what they were sent, so it is not told. */
const RENEWAL_FAILED: Explained = { kind: 'renewalFailed' };

/** Trouble on the way to who renews tokens: an error, or what a connection kept of one. */
function isRenewalTrouble(error: unknown): boolean {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < MAX_CAUSES; depth++) {
    if (isPassingSignIn(failureOf(current))) return true;
    current = current.cause;
  }
  return !(error instanceof Error) && isPassingSignIn((error ?? {}) as Partial<ClientFailure>);
}

function isPassingSignIn({ step, retryable }: Partial<ClientFailure>): boolean {
  return step === 'sign_in' && retryable === true;
}

function explain(failure: Failure | undefined): Explained {
  if (failure === undefined) return { kind: 'unexplained' };
  const explanation = Object.hasOwn(EXPLANATIONS, failure.code) ? EXPLANATIONS[failure.code] : undefined;
  if (typeof explanation === 'string') return { kind: explanation };
  if (explanation !== undefined) return explanation(failure);
  return failure.message === ''
    ? { kind: 'unexplained' }
    : { kind: 'other', facts: { reason: failure.message } };
}

function failuresOf(error: unknown): Failure[] {
  const failures: Failure[] = [];
  let current: unknown = error;
  while (typeof current === 'object' && current !== null && failures.length < MAX_CAUSES) {
    const { code, message, data, cause } = current as Record<string, unknown>;
    failures.push({
      code: typeof code === 'string' || typeof code === 'number' ? String(code) : 'unknown',
      message: typeof message === 'string' ? message.slice(0, MAX_DETAIL) : '',
      // A connection's state carries the facts beside the code, an error below `data`.
      data: { ...current, ...(typeof data === 'object' ? data : {}) },
    });
    current = cause;
  }
  return failures;
}

function commandNotFound({ data: { command } }: Failure): Explained {
  return typeof command === 'string'
    ? { kind: 'commandNotFound', facts: { command: command.slice(0, MAX_DETAIL) } }
    : { kind: 'programNotFound' };
}

function processEnded({ data: { signal, exitCode } }: Failure): Explained {
  if (typeof signal === 'string') return { kind: 'processSignal', facts: { signal } };
  return typeof exitCode === 'number'
    ? { kind: 'processExitCode', facts: { exitCode: String(exitCode) } }
    : { kind: 'processEnded' };
}

const NETWORK_KINDS: Readonly<Record<string, ConnectorProblemKind>> = {
  address: 'addressNotFound',
  tcp: 'notListening',
  tls: 'notEncrypted',
};

/** What HostError `address_refused` is by the time it comes through the transport. */
const ADDRESS_REFUSED = 'address_refused';

function notReached({ data: { step, host, systemCode } }: Failure): Explained {
  const kind =
    typeof step === 'string' && Object.hasOwn(NETWORK_KINDS, step) ? NETWORK_KINDS[step] : undefined;
  const refused = systemCode === ADDRESS_REFUSED ? 'addressRefused' : undefined;
  return {
    kind: kind ?? refused ?? 'unreachable',
    facts: {
      host: typeof host === 'string' ? host.slice(0, MAX_DETAIL) : '',
      systemCode: typeof systemCode === 'string' ? systemCode.slice(0, MAX_DETAIL) : '?',
    },
  };
}

function statusRefused({ data, message }: Failure): Explained {
  const status = data['status'] ?? data['httpStatus'];
  if (typeof status !== 'number') return { kind: 'refused', facts: { reason: message } };
  const facts = { status: String(status) };
  if (status === 404 || status === 405) return { kind: 'noEndpoint', facts };
  if (status >= 300 && status < 400) {
    const place = placeOf(data['location']);
    return place === undefined
      ? { kind: 'movedNowhere', facts }
      : { kind: 'moved', facts: { ...facts, place } };
  }
  return { kind: status >= 500 ? 'serverFailed' : 'refusedStatus', facts };
}

/** Without query and user, where secrets may be, and as plain ASCII. */
function placeOf(location: unknown): string | undefined {
  if (typeof location !== 'string' || !URL.canParse(location)) return undefined;
  const { protocol, host, pathname } = new URL(location);
  return `${protocol}//${host}${pathname}`.slice(0, MAX_DETAIL);
}
