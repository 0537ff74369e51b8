import { SdkError } from '@portico/spec';

/** What each local error means. These never cross the wire; wire errors are `ProtocolError`. */
export const SERVER_ERRORS = {
  ALREADY_CONNECTED: 'This server already has a connection.',
  ALREADY_REGISTERED: 'That name is taken.',
  BODY_TOO_LARGE: 'The request body is larger than allowed.',
  CAPABILITY_NOT_SUPPORTED: 'The needed capability was not declared.',
  INVALID_CACHE_HINT: 'A cache hint has a time of at least 0 ms and the scope public or private.',
  INVALID_CORS_OPTIONS: 'Credentials are never allowed to pages of every origin.',
  INVALID_INPUT_REQUEST: 'An input request is empty or asks for something that cannot be asked.',
  INVALID_SCHEMA: 'The schema cannot be used.',
  INVALID_SKILLS: 'The skills cannot be served.',
  HANDLER_TAKEN: 'The low-level server has a handler of its own for that.',
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: 'The revision in use does not have this method.',
  NOT_CONNECTED: 'This server has no connection.',
  NOT_INITIALIZED: 'The client has not confirmed the handshake yet.',
  OUTSIDE_ROOT: 'There is no such file in the served folder.',
  REQUEST_REFUSED: 'A request over HTTP was refused.',
  TASK_ENDED: 'The task has ended.',
  TOO_MANY_TASKS: 'There are too many tasks at once.',
} as const;

export type ServerErrorCode = keyof typeof SERVER_ERRORS;

/** An error of this package, for the code that uses it; an `SdkError` with the codes of servers. */
export class ServerError extends SdkError<ServerErrorCode> {
  static override readonly brand: string = 'ServerError';
  /** Details by code: `INVALID_SCHEMA` has `{ reason? }`, the capability code `{ capability }`,
   *  `REQUEST_REFUSED` `{ status }`. */
  declare readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: ServerErrorCode,
    options: {
      readonly message?: string;
      readonly data?: Readonly<Record<string, unknown>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(code, { ...options, message: options.message ?? SERVER_ERRORS[code] });
    this.name = 'ServerError';
  }
}
