import { ErrorCode, RpcError, isRpcError } from './errors.ts';
import type { BrokenMessageIds } from './errors.ts';
import { DEFAULT_RECEIVE_LIMITS, type ReceiveLimits } from './limits.ts';
import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type RequestId,
  isJSONRPCMessage,
  isRequestId,
} from './message.ts';

/** What {@link parseMessages} accepts. */
export interface ParseOptions {
  /** Receive limits; missing ones take their defaults. */
  limits?: Partial<ReceiveLimits>;
  /** Whether a JSON-RPC array of messages is taken. Default false. */
  allowBatch?: boolean;
}

/**
 * Reads one message from JSON text.
 *
 * @throws RpcError `message_too_large`, `parse_error`, `too_deep`, `batch_refused`, `invalid_message`
 */
export function parseMessage(text: string, limits?: Partial<ReceiveLimits>): JSONRPCMessage {
  const value = parseBounded(text, limits);
  if (Array.isArray(value)) throw new RpcError('batch_refused', { limit: 1 });
  return asMessage(value);
}

/**
 * Reads one message, or several when arrays are allowed and the text is one. An array with one bad
 * element is refused as a whole, and so is an empty one.
 *
 * @throws RpcError as {@link parseMessage} does
 */
export function parseMessages(text: string, options: ParseOptions = {}): JSONRPCMessage[] {
  const value = parseBounded(text, options.limits);
  if (!Array.isArray(value)) return [asMessage(value)];
  const limit = options.limits?.maxBatch ?? DEFAULT_RECEIVE_LIMITS.maxBatch;
  if (options.allowBatch !== true) throw new RpcError('batch_refused', { limit: 1 });
  if (value.length > limit) throw new RpcError('batch_refused', { limit });
  if (value.length === 0) throw new RpcError('invalid_message', {});
  // No element is answered when the whole is refused.
  if (!value.every(isJSONRPCMessage)) throw new RpcError('invalid_message', {});
  return value;
}

/**
 * One line of JSON, without the line end. JSON text never holds a raw line break.
 *
 * @throws RpcError `unsendable_message` for what JSON cannot hold: cycles, big integers, endless depth
 */
export function serializeMessage(message: JSONRPCMessage): string {
  try {
    return JSON.stringify(message);
  } catch (cause) {
    throw new RpcError('unsendable_message', 'method' in message ? { method: message.method } : {}, {
      cause,
    });
  }
}

/**
 * The error answer that a refused text earns, with the request's id when it could be read.
 * Undefined for errors that are no fault of the text.
 */
export function toErrorResponse(error: unknown): JSONRPCErrorResponse | undefined {
  if (!isRpcError(error)) return undefined;
  const code = wireCode(error);
  if (code === undefined) return undefined;
  const data: { id?: RequestId } = { ...(error.data as object | undefined) };
  const body = { code, message: error.message };
  return data.id === undefined
    ? { jsonrpc: '2.0', error: body }
    : { jsonrpc: '2.0', id: data.id, error: body };
}

function wireCode(error: RpcError): number | undefined {
  if (error.code === 'parse_error') return ErrorCode.ParseError;
  const refused = ['invalid_message', 'message_too_large', 'too_deep', 'batch_refused'];
  return refused.includes(error.code) ? ErrorCode.InvalidRequest : undefined;
}

function parseBounded(text: string, limits: Partial<ReceiveLimits> | undefined): unknown {
  const limitBytes = limits?.maxMessageBytes ?? DEFAULT_RECEIVE_LIMITS.maxMessageBytes;
  if (exceedsBytes(text, limitBytes)) throw new RpcError('message_too_large', { limitBytes });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RpcError('parse_error', undefined, { cause });
  }
  const maxDepth = limits?.maxDepth ?? DEFAULT_RECEIVE_LIMITS.maxDepth;
  // Each level costs two characters, so a short text cannot be too deep.
  if (text.length > 2 * maxDepth && isDeeperThan(value, maxDepth)) {
    throw new RpcError('too_deep', { limit: maxDepth, ...readableIds(value) });
  }
  return value;
}

function asMessage(value: unknown): JSONRPCMessage {
  if (isJSONRPCMessage(value)) return value;
  throw new RpcError('invalid_message', readableIds(value));
}

/** The id of something meant as a request, or of the request that a broken answer is for. */
export function readableIds(value: unknown): BrokenMessageIds {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  if (!('id' in value) || !isRequestId(value.id)) return {};
  if ('result' in value || 'error' in value) return { answerTo: value.id };
  return { id: value.id };
}

/** Whether the text takes more than `limit` bytes in UTF-8. Exact, and cheap for short texts. */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  return utf8Length(text) > limit;
}

/** Bytes that the text takes in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    bytes += 1;
    if (unit < 0x800) continue;
    // A surrogate pair is two units and four bytes; a lone half becomes a three-byte replacement.
    if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text, index + 1)) {
      index += 1;
      bytes += 1;
    } else {
      bytes += 1;
    }
  }
  return bytes;
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Whether arrays and objects nest in more levels. Recursion never goes deeper than the limit itself. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels <= 0) return true;
  // Most members are no objects; a call for each of those would take most of the time.
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      if (typeof item === 'object' && isDeeperThan(item, levels - 1)) return true;
    }
    return false;
  }
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'object' && isDeeperThan(member, levels - 1)) return true;
  }
  return false;
}
