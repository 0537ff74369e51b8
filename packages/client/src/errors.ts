/** Codes of errors that arise on this side of the wire, under the official names. */
export const SdkErrorCode = {
  NotConnected: 'NOT_CONNECTED',
  AlreadyConnected: 'ALREADY_CONNECTED',
  CapabilityNotSupported: 'CAPABILITY_NOT_SUPPORTED',
  RequestTimeout: 'REQUEST_TIMEOUT',
  RequestAborted: 'REQUEST_ABORTED',
  ConnectionClosed: 'CONNECTION_CLOSED',
  SendFailed: 'SEND_FAILED',
  InvalidResult: 'INVALID_RESULT',
  InvalidMessage: 'INVALID_MESSAGE',
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

/** Code → message; the one table of this package's errors. */
export const SDK_ERRORS: Readonly<Record<SdkErrorCode, string>> = {
  NOT_CONNECTED: 'the client is not connected',
  ALREADY_CONNECTED: 'the client is connected already',
  CAPABILITY_NOT_SUPPORTED: 'the other side does not offer this',
  REQUEST_TIMEOUT: 'the server did not answer in time',
  REQUEST_ABORTED: 'the request was cancelled',
  CONNECTION_CLOSED: 'the connection was closed before the answer came',
  SEND_FAILED: 'the message could not be sent',
  INVALID_RESULT: 'the server answered with something that breaks the protocol',
  INVALID_MESSAGE: 'the server sent something that is no protocol message',
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

export interface SdkErrorOptions {
  /** Replaces the table's message with a more exact one. */
  readonly message?: string;
  readonly data?: unknown;
  readonly cause?: unknown;
}

/** A failure on this side of the wire; what the server itself reports is a `ProtocolError`. */
export class SdkError extends Error {
  readonly code: SdkErrorCode;
  readonly data: unknown;

  constructor(code: SdkErrorCode, options: SdkErrorOptions = {}) {
    super(options.message ?? SDK_ERRORS[code], { cause: options.cause });
    this.name = 'SdkError';
    this.code = code;
    this.data = options.data;
  }
}

/** What is known of an HTTP answer that was no success. */
export interface SdkHttpErrorData {
  readonly status: number;
  readonly statusText: string;
  /** Start of the body, at most 1,024 characters. */
  readonly body?: string;
  /** The `WWW-Authenticate` header, when there is one. */
  readonly challenge?: string;
  /** Where the server sends to, as it wrote it. */
  readonly location?: string;
}

/** An HTTP answer whose status is no success. */
export class SdkHttpError extends SdkError {
  declare readonly data: SdkHttpErrorData;

  constructor(code: SdkErrorCode, data: SdkHttpErrorData) {
    super(code, { data, message: `${SDK_ERRORS[code]} (HTTP ${data.status})` });
    this.name = 'SdkHttpError';
  }

  get status(): number {
    return this.data.status;
  }

  get statusText(): string {
    return this.data.statusText;
  }
}

/** Which step of reaching a server failed. */
export type NetworkStep = 'address' | 'tcp' | 'tls' | 'unknown';

/** Data of `CLIENT_HTTP_NETWORK`. */
export interface NetworkErrorData {
  readonly step: NetworkStep;
  /** The system's name for it, such as `ECONNREFUSED`. */
  readonly systemCode?: string;
  readonly host: string;
}

/** Data of `STDIO_EXITED`. */
export interface StdioExitData {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderrTail: readonly string[];
}

/** Data of the `STDIO_…` errors of a start. */
export interface StdioSpawnData {
  readonly command: string;
  readonly folder?: string;
  readonly systemCode?: string;
}
