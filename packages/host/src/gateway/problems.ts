import type { ConnectorProblem } from '@portico/api';

/** Most causes that are looked through. */
const MAX_CAUSES = 8;

/** Longest detail taken over from a server or the system, in characters. */
const MAX_DETAIL = 300;

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Sentences = (failure: Failure) => readonly [message: string, remedy: string];

const CHECK_COMMAND = 'Check the command for typing errors, or give the full path of the program.';
const CHECK_ADDRESS = 'Check the address, and that the server is running.';
const ASK_SERVER = 'Check that this is the address of an MCP endpoint, often ending in /mcp.';

/** Codes of the client and connection layers, each with what happened and what to do. */
const SENTENCES: Readonly<Record<string, Sentences>> = {
  STDIO_COMMAND_NOT_FOUND: commandNotFoundSentences,
  command_not_found: commandNotFoundSentences,
  STDIO_NOT_EXECUTABLE: () => [
    'The file is not a program that may be run.',
    'Give it the right to be executed, or put the program that runs it in front.',
  ],
  STDIO_FOLDER_NOT_FOUND: () => [
    'The working folder does not exist.',
    'Create the folder or choose another one.',
  ],
  STDIO_SPAWN_FAILED: (failure) => [`The command could not be started: ${failure.message}`, CHECK_COMMAND],
  STDIO_EXITED: ({ data }) => [
    `The server process ended${exitOf(data)}.`,
    'Its last lines below may say why; correct the command or its variables and reconnect.',
  ],
  CLIENT_HTTP_NETWORK: networkSentences,
  CLIENT_HTTP_AUTHENTICATION: () => [
    'The server asks for a sign-in (HTTP 401).',
    'Add the header it wants, such as Authorization, with a valid token.',
  ],
  CLIENT_HTTP_FORBIDDEN: () => [
    'The server forbids this (HTTP 403).',
    'Check that the token in the headers may use this server.',
  ],
  CLIENT_HTTP_NOT_IMPLEMENTED: httpStatusSentences,
  CLIENT_HTTP_UNEXPECTED_CONTENT: () => ['The address answers, but not with MCP messages.', ASK_SERVER],
  CLIENT_HTTP_FAILED_TO_OPEN_STREAM: httpStatusSentences,
  UNSUPPORTED_PROTOCOL_VERSION: () => [
    'The server and Portico share no protocol version.',
    'Update the server, or Portico.',
  ],
  ERA_NEGOTIATION_FAILED: () => [
    'The server does not answer as MCP defines it.',
    'Check that the command or address belongs to an MCP server.',
  ],
  INVALID_RESULT: () => [
    'The server answered with something that breaks the protocol.',
    'Update the server.',
  ],
  INVALID_MESSAGE: () => [
    'The server sent something that is no protocol message.',
    'Update the server; one that runs as a command must print nothing else to its output.',
  ],
  MESSAGE_TOO_LARGE: () => ['The server sent a message over the size limit.', 'Ask it for less at a time.'],
  REQUEST_TIMEOUT: () => [
    'The server did not answer in time.',
    'See whether it is overloaded or hangs, then reconnect.',
  ],
  connection_lost: () => [
    'The server stopped; the action may have happened.',
    'Look whether it did before trying again.',
  ],
  not_ready: () => ['The connector is not ready.', 'Its state says why.'],
  timeout: () => [
    'The server did not answer in time.',
    'See whether it is overloaded or hangs, then reconnect.',
  ],
  CONNECTION_CLOSED: () => [
    'The server closed the connection.',
    'Its last lines below may say why; then reconnect.',
  ],
  secret_unreadable: () => [
    'A stored value cannot be decrypted with the present key.',
    'Edit the connector and type its secret values again.',
  ],
};

/**
 * Says what went wrong with a connector and what to do about it.
 * @param error whatever the layers below reported; its causes are looked through
 * @param stderrTail last lines of the child's error output, already cleaned and bounded
 */
export function describeProblem(error: unknown, stderrTail: readonly string[] = []): ConnectorProblem {
  const failures = failuresOf(error);
  const explained = failures.filter(({ code }) => Object.hasOwn(SENTENCES, code));
  // That the connection closed says little where the reason stands behind it.
  const failure = explained.find(({ code }) => code !== 'CONNECTION_CLOSED') ?? explained[0] ?? failures[0];
  const known = explained.length === 0 || failure === undefined ? undefined : SENTENCES[failure.code];
  const [message, remedy] =
    failure !== undefined && known !== undefined
      ? known(failure)
      : [
          `The connection failed: ${failure?.message ?? 'no reason was given'}`,
          'Check its settings, then reconnect.',
        ];
  return {
    code: failure?.code ?? 'unknown',
    message: message.slice(0, 2 * MAX_DETAIL),
    remedy,
    ...(stderrTail.length > 0 ? { stderrTail: [...stderrTail] } : {}),
  };
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

function commandNotFoundSentences({ data }: Failure): readonly [string, string] {
  const { command } = data;
  const named = typeof command === 'string' ? ` "${command.slice(0, MAX_DETAIL)}"` : '';
  return [`The command${named} was not found on this computer.`, CHECK_COMMAND];
}

function exitOf(data: Readonly<Record<string, unknown>>): string {
  if (typeof data['signal'] === 'string') return ` by signal ${data['signal']}`;
  return typeof data['exitCode'] === 'number' ? ` with exit code ${data['exitCode']}` : '';
}

function networkSentences({ data, message }: Failure): readonly [string, string] {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  switch (data['step']) {
    case 'address':
      return [sentence, 'Check the name in the address, and the network.'];
    case 'tls':
      return [
        sentence,
        'Check the certificate of the server, and whether the address should begin with http:.',
      ];
    default:
      return [sentence, CHECK_ADDRESS];
  }
}

function httpStatusSentences({ data, message }: Failure): readonly [string, string] {
  const status = data['status'] ?? data['httpStatus'];
  if (typeof status !== 'number') return [`The server refused the request: ${message}`, ASK_SERVER];
  if (status === 404 || status === 405)
    return [`There is no MCP endpoint at this address (HTTP ${status}).`, ASK_SERVER];
  if (status >= 300 && status < 400)
    return [
      `The server sends to another place (HTTP ${status})${placeOf(data)}.`,
      'If you trust that place, give its address as the address of the connector.',
    ];
  if (status >= 500)
    return [`The server failed (HTTP ${status}).`, 'Try again later, or look at the log of the server.'];
  return [`The server refused the request (HTTP ${status}).`, ASK_SERVER];
}

/** Without query and user, where secrets may be, and as plain ASCII. */
function placeOf(data: Readonly<Record<string, unknown>>): string {
  const { location } = data;
  if (typeof location !== 'string' || !URL.canParse(location)) return '';
  const { protocol, host, pathname } = new URL(location);
  return `: ${`${protocol}//${host}${pathname}`.slice(0, MAX_DETAIL)}`;
}
