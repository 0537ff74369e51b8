import {
  type JSONRPCMessage,
  type ReceiveLimits,
  RpcError,
  isJSONRPCRequest,
  parseMessages,
} from '@portico/rpc';
import { hasEnvelope, isJsonContentType } from '@portico/spec';
import { refusal } from './error-answers.ts';
import { type HttpAnswer, type HttpRequest } from './http-message.ts';

/** What a POST holds. */
export interface PostedMessages {
  readonly messages: readonly JSONRPCMessage[];
  readonly asArray: boolean;
}

/** Bounds of one body. */
export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly maxDepth: number | undefined;
}

/**
 * What is wrong with a body before it is read.
 * @param code the number to refuse with; that of legacy bodies by default
 */
export function contentFault(request: HttpRequest, code?: number): HttpAnswer | undefined {
  if (!isJsonContentType(request.header('content-type'))) {
    return refusal(415, 'The body of a request is application/json.', code);
  }
  // Whoever has parsed the body has unpacked it, too.
  if (request.parsedBody !== undefined) return undefined;
  const encoding = request.header('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return undefined;
  return refusal(415, 'The body is not to be encoded.', code);
}

/**
 * Reads the messages of one POST. Arrays exist in one revision only; there they may hold neither
 * openings nor modern requests.
 * @throws RpcError `parse_error`, `too_deep`, `batch_refused`, `invalid_message`
 * @throws ServerError `BODY_TOO_LARGE`
 */
export async function readMessages(
  request: HttpRequest,
  { maxBodyBytes, maxDepth }: BodyLimits,
  allowBatch: () => boolean,
): Promise<PostedMessages> {
  const { parsedBody } = request;
  const text = parsedBody === undefined ? await request.text(maxBodyBytes) : JSON.stringify(parsedBody);
  // Whoever parsed the body has measured it.
  const maxMessageBytes = parsedBody === undefined ? maxBodyBytes : Number.POSITIVE_INFINITY;
  const limits: Partial<ReceiveLimits> =
    maxDepth === undefined ? { maxMessageBytes } : { maxMessageBytes, maxDepth };
  const asArray = isArrayText(text);
  const messages = parseMessages(text, { limits, allowBatch: asArray && allowBatch() });
  if (asArray && messages.some(standsAlone)) throw new RpcError('batch_refused', { limit: 1 });
  return { messages, asArray };
}

function isArrayText(text: string): boolean {
  // The common body begins with its object.
  return text.codePointAt(0) !== 0x7b && /^\s*\[/.test(text);
}

function standsAlone(message: JSONRPCMessage): boolean {
  if (!('method' in message)) return false;
  return (isJSONRPCRequest(message) && message.method === 'initialize') || hasEnvelope(message.params);
}
