/** What `data` holds for each code of this package. */
export interface ConnectionsErrorData {
  /** No connection has this id. */
  unknown_connection: { id: string };
  /** A connection with this id exists already. */
  duplicate_connection: { id: string };
  /** The connections were closed as a whole. */
  closed: undefined;
  /** The connection is not usable now; its state says why. */
  not_ready: { id: string; status: string };
  /** The server wants a sign-in. */
  needs_sign_in: { id: string };
  /** No answer within the time. */
  timeout: { id: string };
  /** The caller gave the call up. */
  cancelled: { id: string };
  /** The connection broke while the call was under way: the action may have happened. */
  connection_lost: { id: string };
  /** The call could not be delivered. */
  unreachable: { id: string };
  /** The server does not offer this. */
  not_supported: { id: string };
  /** The answer breaks the protocol or a limit. */
  invalid_answer: { id: string };
  /** The server answered with an error of its own. */
  server_error: { id: string; code: number; data?: unknown };
}

export type ConnectionsErrorCode = keyof ConnectionsErrorData;

/** Code → message; the one table of this package's errors. */
export const CONNECTIONS_ERRORS: Readonly<Record<ConnectionsErrorCode, string>> = {
  unknown_connection: 'there is no such connection',
  duplicate_connection: 'there is a connection with this id already',
  closed: 'the connections are closed',
  not_ready: 'the connection is not ready',
  needs_sign_in: 'the server asks for a sign-in',
  timeout: 'the server did not answer in time',
  cancelled: 'the call was cancelled',
  connection_lost: 'the server stopped; the action may have happened',
  unreachable: 'the server could not be reached',
  not_supported: 'the server does not offer this',
  invalid_answer: 'the server answered with something that breaks the protocol',
  server_error: 'the server reported an error',
};

/** A failure of a connection or of a call over it. */
export class ConnectionsError<Code extends ConnectionsErrorCode = ConnectionsErrorCode> extends Error {
  readonly code: Code;
  readonly data: ConnectionsErrorData[Code];

  constructor(
    code: Code,
    data: ConnectionsErrorData[Code],
    options: { readonly message?: string; readonly cause?: unknown } = {},
  ) {
    super(options.message ?? CONNECTIONS_ERRORS[code], { cause: options.cause });
    this.name = 'ConnectionsError';
    this.code = code;
    this.data = data;
  }
}
