import { BrandedError } from './branded-error.ts';
import type { RequestId } from './message.ts';

/** Error numbers that JSON-RPC 2.0 itself defines. */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const;

export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** Ids that could still be read from a message that is none. */
export interface BrokenMessageIds {
  /** Of a request, which earns an answer that says so. */
  id?: RequestId;
  /** Of the request that a broken answer is for: it gets no other. */
  answerTo?: RequestId;
}

/** What `data` holds for each local error code. */
export interface RpcErrorData {
  /** The text is not JSON, or its bytes are not UTF-8. */
  parse_error: undefined;
  /** JSON, but none of the four message forms. */
  invalid_message: BrokenMessageIds;
  /** A message, line or event passes its byte limit. */
  message_too_large: { limitBytes: number };
  /** Nested deeper than the limit. */
  too_deep: BrokenMessageIds & { limit: number };
  /** A JSON array where this channel takes single messages only, or too many in one array. */
  batch_refused: { limit: number };
  /**
   * The call's time, or its total time, ran out. `answeredAs` is there when an answer with the same
   * id in the other type, text for number, was seen meanwhile: the peer changes ids.
   */
  request_timeout: { timeoutMs: number; method: string; total: boolean; answeredAs?: RequestId };
  /** The caller's signal fired; `cause` is its reason. */
  aborted: { method: string };
  /** The channel closed, or was closed already. */
  connection_closed: { method?: string };
  /** `start` was called twice, or something was sent before it. */
  wrong_state: { state: 'new' | 'started' | 'closed' };
  /** The channel refused a message with something that was no Error. */
  send_failed: { method?: string };
  /** The message cannot be put into JSON; `cause` says why. */
  unsendable_message: { method?: string };
  /** An answer whose id belongs to no open call. */
  unknown_response: { id?: RequestId | null };
  /** Progress for a token that was never given out. */
  unknown_progress: { token: unknown };
  /** A handler reported progress that does not rise, under a token not given, or after its request ended. */
  progress_refused: { progress: unknown };
  /** The peer used an id again while its first use was open. */
  duplicate_request: { id: RequestId; method: string };
  /** The peer has too many requests open. */
  too_many_requests: { limit: number; method: string };
  /** More faults of one kind arose than are told one by one; `count` of them are in this report. */
  faults_merged: { code: string; count: number };
  /** A callback given to this package threw; `cause` is what it threw. */
  callback_failed: { callback: string };
  /** The browser could not decode a posted message. */
  undecodable_message: undefined;
  /** An option has a value that cannot be worked with. */
  invalid_option: { option: string };
}

export type RpcErrorCode = keyof RpcErrorData;

/** Every local error of this package with its message. */
export const RPC_ERRORS: Readonly<Record<RpcErrorCode, string>> = {
  parse_error: 'The text is not valid JSON in UTF-8.',
  invalid_message: 'The value is not a JSON-RPC message.',
  message_too_large: 'The message is larger than the limit.',
  too_deep: 'The message is nested deeper than the limit.',
  batch_refused: 'An array of messages is not accepted here.',
  request_timeout: 'No answer came in time.',
  aborted: 'The caller gave the request up.',
  connection_closed: 'The connection is closed.',
  wrong_state: 'The connection is not in the state this needs.',
  send_failed: 'The message could not be sent.',
  unsendable_message: 'The message cannot be put into JSON.',
  unknown_response: 'An answer arrived that belongs to no open request.',
  unknown_progress: 'Progress arrived for a token that was never given out.',
  progress_refused: 'Progress must rise and stops when the request ends.',
  duplicate_request: 'A request arrived with the id of one that is still open.',
  too_many_requests: 'Too many requests are open at once.',
  faults_merged: 'More faults of one kind arose than are told one by one.',
  callback_failed: 'A callback threw.',
  undecodable_message: 'A posted message could not be decoded.',
  invalid_option: 'An option has an unusable value.',
};

/** A failure on this side; never sent to the peer as such. */
export class RpcError<Code extends RpcErrorCode = RpcErrorCode> extends Error {
  override readonly name: string = 'RpcError';
  readonly code: Code;
  readonly data: RpcErrorData[Code];

  /**
   * @param code which failure, see {@link RPC_ERRORS}
   * @param data what belongs to that code
   * @param options `cause`, and `message` to say more than the table does
   */
  constructor(code: Code, data: RpcErrorData[Code], options: { cause?: unknown; message?: string } = {}) {
    super(options.message ?? RPC_ERRORS[code], 'cause' in options ? { cause: options.cause } : {});
    this.code = code;
    this.data = data;
  }
}

/** An error that crosses the wire: thrown by a handler to be sent, or rebuilt from an answer. */
export class ProtocolError extends BrandedError {
  static readonly brand: string = 'ProtocolError';
  override readonly name: string = 'ProtocolError';
  /** A JSON-RPC error number. */
  readonly code: number;
  readonly data: unknown;
  /** There, and true, when the other side of a connection answered with it: no code of this side threw it. */
  declare readonly received?: true;

  /**
   * @param code JSON-RPC error number; anything but an integer is sent as -32603
   * @param message one sentence for the peer
   * @param data any JSON value for the peer
   */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** True for any {@link RpcError}, also one from another copy of this package. */
export function isRpcError(value: unknown): value is RpcError {
  return (
    value instanceof Error &&
    value.name === 'RpcError' &&
    'code' in value &&
    typeof value.code === 'string' &&
    Object.hasOwn(RPC_ERRORS, value.code)
  );
}

/** True for any {@link ProtocolError} or subclass, also from another copy of this package. */
export function isProtocolError(value: unknown): value is ProtocolError {
  return (
    value instanceof ProtocolError ||
    (value instanceof Error &&
      value.name === 'ProtocolError' &&
      'code' in value &&
      typeof value.code === 'number')
  );
}
