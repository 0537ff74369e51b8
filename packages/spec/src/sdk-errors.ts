import { BrandedError } from '@portico/rpc';

/** Codes of errors that arise on this side of the wire, under the official names. */
export const SdkErrorCode = {
  NotConnected: 'NOT_CONNECTED',
  AlreadyConnected: 'ALREADY_CONNECTED',
  NotInitialized: 'NOT_INITIALIZED',
  CapabilityNotSupported: 'CAPABILITY_NOT_SUPPORTED',
  RequestTimeout: 'REQUEST_TIMEOUT',
  RequestAborted: 'REQUEST_ABORTED',
  ConnectionClosed: 'CONNECTION_CLOSED',
  SendFailed: 'SEND_FAILED',
  InvalidResult: 'INVALID_RESULT',
  InvalidMessage: 'INVALID_MESSAGE',
  InvalidSchema: 'INVALID_SCHEMA',
  InvalidUriTemplate: 'INVALID_URI_TEMPLATE',
  MessageTooLarge: 'MESSAGE_TOO_LARGE',
  UnsupportedResultType: 'UNSUPPORTED_RESULT_TYPE',
  InputRequiredRoundsExceeded: 'INPUT_REQUIRED_ROUNDS_EXCEEDED',
  ListPaginationExceeded: 'LIST_PAGINATION_EXCEEDED',
  MethodNotSupportedByProtocolVersion: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
  EraNegotiationFailed: 'ERA_NEGOTIATION_FAILED',
  UnsupportedProtocolVersion: 'UNSUPPORTED_PROTOCOL_VERSION',
  ClientHttpNetwork: 'CLIENT_HTTP_NETWORK',
  ClientHttpNotImplemented: 'CLIENT_HTTP_NOT_IMPLEMENTED',
  ClientHttpAuthentication: 'CLIENT_HTTP_AUTHENTICATION',
  ClientHttpForbidden: 'CLIENT_HTTP_FORBIDDEN',
  ClientHttpSessionLost: 'CLIENT_HTTP_SESSION_LOST',
  ClientHttpUnexpectedContent: 'CLIENT_HTTP_UNEXPECTED_CONTENT',
  ClientHttpFailedToOpenStream: 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM',
  ClientHttpFailedToTerminateSession: 'CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION',
  StdioCommandNotFound: 'STDIO_COMMAND_NOT_FOUND',
  StdioNotExecutable: 'STDIO_NOT_EXECUTABLE',
  StdioFolderNotFound: 'STDIO_FOLDER_NOT_FOUND',
  StdioSpawnFailed: 'STDIO_SPAWN_FAILED',
  StdioExited: 'STDIO_EXITED',
  StdioStopFailed: 'STDIO_STOP_FAILED',
} as const;

export type SdkErrorCode = (typeof SdkErrorCode)[keyof typeof SdkErrorCode];

/** Code → message; the one table of what can go wrong on this side. */
export const SDK_ERRORS: Readonly<Record<SdkErrorCode, string>> = {
  NOT_CONNECTED: 'there is no connection',
  ALREADY_CONNECTED: 'there is a connection already',
  NOT_INITIALIZED: 'the connection is not initialized yet',
  CAPABILITY_NOT_SUPPORTED: 'the other side does not offer this',
  REQUEST_TIMEOUT: 'the server did not answer in time',
  REQUEST_ABORTED: 'the request was cancelled',
  CONNECTION_CLOSED: 'the connection was closed before the answer came',
  SEND_FAILED: 'the message could not be sent',
  INVALID_RESULT: 'the server answered with something that breaks the protocol',
  INVALID_MESSAGE: 'the server sent something that is no protocol message',
  INVALID_SCHEMA: 'the schema cannot be used',
  INVALID_URI_TEMPLATE: 'the URI template cannot be used',
  MESSAGE_TOO_LARGE: 'the server sent a message over the size limit',
  UNSUPPORTED_RESULT_TYPE: 'the server answered with a result type this client does not know',
  INPUT_REQUIRED_ROUNDS_EXCEEDED: 'the server kept asking for input',
  LIST_PAGINATION_EXCEEDED: 'the list has more pages than allowed or repeats itself',
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: 'the protocol version in use has no such method',
  ERA_NEGOTIATION_FAILED: 'it could not be found out which protocol era the server speaks',
  UNSUPPORTED_PROTOCOL_VERSION: 'client and server share no protocol version',
  CLIENT_HTTP_NETWORK: 'the server could not be reached',
  CLIENT_HTTP_NOT_IMPLEMENTED: 'the server refused the request',
  CLIENT_HTTP_AUTHENTICATION: 'the server asks for a sign-in',
  CLIENT_HTTP_FORBIDDEN: 'the server forbids this',
  CLIENT_HTTP_SESSION_LOST: 'the server no longer knows the session',
  CLIENT_HTTP_UNEXPECTED_CONTENT: 'the server answered with content that is no protocol message',
  CLIENT_HTTP_FAILED_TO_OPEN_STREAM: 'the stream of server messages could not be opened',
  CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION: 'the session could not be ended',
  STDIO_COMMAND_NOT_FOUND: 'the command was not found',
  STDIO_NOT_EXECUTABLE: 'the command cannot be executed',
  STDIO_FOLDER_NOT_FOUND: 'the working folder does not exist',
  STDIO_SPAWN_FAILED: 'the command could not be started',
  STDIO_EXITED: 'the server process ended',
  STDIO_STOP_FAILED: 'the server process could not be ended',
};

/** What else a {@link SdkError} can be given. */
export interface SdkErrorOptions {
  /** Replaces the table's message with a more exact one. */
  readonly message?: string;
  readonly data?: unknown;
  readonly cause?: unknown;
}

/** Why a failure came about. */
interface Cause {
  readonly cause?: unknown;
}

type SdkErrorArguments =
  | readonly [message: string, data?: unknown, options?: Cause | undefined]
  | readonly [details?: SdkErrorOptions, data?: undefined, options?: undefined];

const isKnownCode = (code: string): code is SdkErrorCode => Object.hasOwn(SDK_ERRORS, code);

/**
 * A failure on this side of the wire; what the other side reports is a `ProtocolError`.
 * `instanceof` also matches instances made by another copy of this class in the same process.
 */
export class SdkError<Code extends string = SdkErrorCode> extends BrandedError {
  static readonly brand: string = 'SdkError';
  readonly code: Code;
  readonly data: unknown;

  /**
   * @param code which failure, see {@link SDK_ERRORS}
   * @param rest message (the table's unless given), what belongs to the code, and `cause`: one
   *   after the other, or as one object
   */
  constructor(code: Code, ...rest: SdkErrorArguments) {
    const [given = {}, data, options] = rest;
    const details = typeof given === 'string' ? { message: given, data, ...options } : given;
    const known = isKnownCode(code) ? SDK_ERRORS[code] : code;
    super(details.message ?? known, details.cause === undefined ? {} : { cause: details.cause });
    this.name = 'SdkError';
    this.code = code;
    this.data = details.data;
  }
}

/** What is known of an HTTP answer that was no success. */
export interface SdkHttpErrorData {
  readonly status: number;
  readonly statusText?: string;
  /** Start of the body, at most 1,024 characters. */
  readonly body?: string;
  /** The `WWW-Authenticate` header, when there is one. */
  readonly challenge?: string;
  /** Where the server sends to, as it wrote it. */
  readonly location?: string;
  /** How long the server wants to be left alone, milliseconds. */
  readonly retryAfterMs?: number;
}

type SdkHttpErrorArguments =
  | readonly [message: string, data: SdkHttpErrorData, options?: Cause | undefined]
  | readonly [data: SdkHttpErrorData, rest?: undefined, options?: undefined];

/** An HTTP answer whose status is no success. */
export class SdkHttpError extends SdkError {
  static override readonly brand: string = 'SdkHttpError';
  declare readonly data: SdkHttpErrorData;

  /** The message is the table's with the status, unless one is given before the data. */
  constructor(code: SdkErrorCode, ...rest: SdkHttpErrorArguments) {
    const [first, second, options] = rest;
    if (typeof first === 'string') super(code, first, second, options);
    else super(code, `${SDK_ERRORS[code]} (HTTP ${first.status})`, first);
    this.name = 'SdkHttpError';
  }

  get status(): number {
    return this.data.status;
  }

  get statusText(): string | undefined {
    return this.data.statusText;
  }
}
