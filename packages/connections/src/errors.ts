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
  server_error: { id: string; code: number; message?: string; data?: unknown };
  /** A setting of a managed server cannot be used; nothing was sent. */
  invalid_config: { member: string };
  /** A managed server was not ready within its time. */
  connect_timeout: { id: string };
  /** A managed server cannot be reached. */
  network_error: { id: string };
  /** The server forgot the session twice in a row. */
  session_lost: { id: string };
  /** The server answered with a status that says no. */
  http_error: { id: string; httpStatus?: number };
  /** A call of a managed server had no answer within its time. */
  request_timeout: { id: string };
  /** The connection ended while a call was under way, or before it. */
  connection_closed: { id: string };
  /** The two sides have no protocol version in common. */
  version_unsupported: { id: string };
  /** This call needs a sign-in, or one with more scopes. */
  auth_required: { id: string; scope?: string };
  /** The sign-in was refused or went wrong. */
  auth_failed: { id: string };
  /** The server refuses without saying where to sign in. */
  auth_unsupported: { id: string };
  /** The authorization server takes registered clients only. */
  client_id_needed: { id: string };
  /** Browsers sign nothing in on pages that are not secure. */
  insecure_context: { id: string };
  /** The application refused what the server asked for. */
  input_rejected: { id: string };
  /** No managed server has this id. */
  unknown_server: { id: string };
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
  invalid_config: 'a setting of the server cannot be used',
  connect_timeout: 'the server was not ready in time',
  network_error: 'the server could not be reached',
  session_lost: 'the server forgot the session again right after it was opened anew',
  http_error: 'the server refused the request',
  request_timeout: 'the server did not answer the call in time',
  connection_closed: 'the connection ended before the answer came',
  version_unsupported: 'the server speaks no protocol version that is spoken here',
  auth_required: 'the call needs a sign-in',
  auth_failed: 'the sign-in failed',
  auth_unsupported: 'the server asks for a sign-in but does not say where',
  client_id_needed: 'the authorization server needs a client id that was registered by hand',
  insecure_context: 'a page has to be served over https, or from this machine, to sign in',
  input_rejected: 'what the server asked for was refused',
  unknown_server: 'there is no server with this id',
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
