import type { ConnectorAction } from './connector-states.ts';

/** What can be wrong with a connector, in the words of the person's screen and of the command line. */
export interface ProblemTexts {
  /** What happened; `{{names}}` stand for facts. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The button for that; reconnecting where nothing else is said. */
  readonly action?: ConnectorAction;
}

const CHECK_COMMAND = 'Check the command for typing errors, or give the full path of the program.';
const CHECK_ADDRESS = 'Check the address, and that the server is running.';
const CHECK_ENDPOINT = 'Check that this is the address of an MCP endpoint, often ending in /mcp.';
const LAST_LINES = 'Its last lines below may say why; correct the command or its variables and reconnect.';
const UPDATE_SERVER = 'Update the server.';

/** Kind of problem → English texts. Other languages have the same kinds and the same facts. */
export const CONNECTOR_PROBLEMS = {
  commandNotFound: {
    message: 'The command "{{command}}" was not found on this computer.',
    remedy: CHECK_COMMAND,
    action: 'edit',
  },
  programNotFound: {
    message: 'The command was not found on this computer.',
    remedy: CHECK_COMMAND,
    action: 'edit',
  },
  notExecutable: {
    message: 'The file is not a program that may be run.',
    remedy: 'Give it the right to be executed, or put the program that runs it in front.',
    action: 'edit',
  },
  folderNotFound: {
    message: 'The working folder does not exist.',
    remedy: 'Create the folder or choose another one.',
    action: 'edit',
  },
  spawnFailed: {
    message: 'The command could not be started: {{reason}}',
    remedy: CHECK_COMMAND,
    action: 'edit',
  },
  processEnded: { message: 'The server process ended.', remedy: LAST_LINES, action: 'edit' },
  processExitCode: {
    message: 'The server process ended with exit code {{exitCode}}.',
    remedy: LAST_LINES,
    action: 'edit',
  },
  processSignal: { message: 'The server process ended by signal {{signal}}.', remedy: LAST_LINES },
  addressNotFound: {
    message: 'No address was found for {{host}}.',
    remedy: 'Check the name in the address, and the network.',
    action: 'edit',
  },
  notListening: {
    message: '{{host}} did not take the connection ({{systemCode}}).',
    remedy: CHECK_ADDRESS,
  },
  notEncrypted: {
    message: 'No encrypted connection to {{host}} could be made ({{systemCode}}).',
    remedy: 'Check the certificate of the server, and whether the address should begin with http:.',
    action: 'edit',
  },
  addressRefused: {
    message: '{{host}} leads to an address that this connector may not reach.',
    remedy: 'If the server is on this computer, give its address as 127.0.0.1 or localhost.',
    action: 'edit',
  },
  unreachable: { message: '{{host}} could not be reached.', remedy: CHECK_ADDRESS },
  signIn: {
    message: 'The server asks for a sign-in (HTTP 401).',
    remedy: 'Add the header it wants, such as Authorization, with a valid token.',
    action: 'edit',
  },
  renewalFailed: {
    message: 'The sign-in could not be renewed just now: its server did not answer as it should.',
    remedy: 'You stay signed in. Try again in a moment.',
  },
  forbidden: {
    message: 'The server forbids this (HTTP 403).',
    remedy: 'Check that the token in the headers may use this server.',
    action: 'edit',
  },
  moreScopes: {
    message: 'The server wants more permission for this than it was given.',
    remedy: 'Sign in where the connector asks for it.',
    action: 'sign_in',
  },
  stillRefused: {
    message: 'The server still refuses this after two sign-ins.',
    remedy: 'Ask whoever runs the server what the account lacks.',
  },
  noEndpoint: {
    message: 'There is no MCP endpoint at this address (HTTP {{status}}).',
    remedy: CHECK_ENDPOINT,
    action: 'edit',
  },
  moved: {
    message: 'The server sends to another place (HTTP {{status}}): {{place}}.',
    remedy: 'If you trust that place, give its address as the address of the connector.',
    action: 'edit',
  },
  movedNowhere: {
    message: 'The server sends to another place, but names none (HTTP {{status}}).',
    remedy: CHECK_ENDPOINT,
    action: 'edit',
  },
  serverFailed: {
    message: 'The server failed (HTTP {{status}}).',
    remedy: 'Try again later, or look at the log of the server.',
  },
  refusedStatus: {
    message: 'The server refused the request (HTTP {{status}}).',
    remedy: CHECK_ENDPOINT,
    action: 'edit',
  },
  refused: { message: 'The server refused the request: {{reason}}', remedy: CHECK_ENDPOINT, action: 'edit' },
  noMessages: {
    message: 'The address answers, but not with MCP messages.',
    remedy: CHECK_ENDPOINT,
    action: 'edit',
  },
  noSharedVersion: {
    message: 'The server and Portico share no protocol version.',
    remedy: 'Update the server, or Portico.',
  },
  notMcp: {
    message: 'The server does not answer as MCP defines it.',
    remedy: 'Check that the command or address belongs to an MCP server.',
    action: 'edit',
  },
  brokenAnswer: {
    message: 'The server answered with something that breaks the protocol.',
    remedy: UPDATE_SERVER,
  },
  noMessage: {
    message: 'The server sent something that is no protocol message.',
    remedy: 'Update the server; one that runs as a command must print nothing else to its output.',
  },
  tooLarge: {
    message: 'The server sent a message over the size limit.',
    remedy: 'Ask it for less at a time.',
  },
  timeout: {
    message: 'The server did not answer in time.',
    remedy: 'See whether it is overloaded or hangs, then reconnect.',
  },
  pingMissed: {
    message: 'The server has not answered lately.',
    remedy: 'It may be busy with a call. Reconnect if it stays like this.',
  },
  connectionLost: {
    message: 'The server stopped; the action may have happened.',
    remedy: 'Look whether it did before trying again.',
  },
  notReady: { message: 'The connector is not ready.', remedy: 'Its state says why.' },
  closed: {
    message: 'The server closed the connection.',
    remedy: 'Its last lines below may say why; then reconnect.',
  },
  secretUnreadable: {
    message: 'A stored value cannot be decrypted with the present key.',
    remedy:
      'Put the earlier key back and start Portico again, or edit the connector and type its secret values again.',
    action: 'edit',
  },
  other: {
    message: 'The connection failed: {{reason}}',
    remedy: 'Check its settings, then reconnect.',
  },
  unexplained: {
    message: 'The connection failed, and no reason was given.',
    remedy: 'Check its settings, then reconnect.',
  },
} as const satisfies Readonly<Record<string, ProblemTexts>>;

export type ConnectorProblemKind = keyof typeof CONNECTOR_PROBLEMS;

/** All kinds, for schemas and catalogues. */
export const CONNECTOR_PROBLEM_KINDS = Object.keys(CONNECTOR_PROBLEMS) as [
  ConnectorProblemKind,
  ...ConnectorProblemKind[],
];

/** Names of the facts that texts may have slots for. */
export const CONNECTOR_PROBLEM_FACTS = [
  'command',
  'exitCode',
  'host',
  'place',
  'reason',
  'signal',
  'status',
  'systemCode',
] as const;

export type ConnectorProblemFacts = Readonly<
  Partial<Record<(typeof CONNECTOR_PROBLEM_FACTS)[number], string>>
>;

/** Puts facts into a text; a fact that is not there leaves nothing behind. */
export function fillText(text: string, facts: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
    Object.hasOwn(facts, name) ? (facts[name] ?? '') : '',
  );
}
