import { ErrorCode, RpcError, type RpcErrorCode, isRpcError } from './errors.ts';
import type { ExchangeScope } from './exchange-scope.ts';
import type { JSONRPCParams, JSONRPCResponse, RequestId } from './message.ts';
import type { PeerRequestOptions } from './peer.ts';
import type { TransportSendOptions } from './transport.ts';

/** Failures to send that lie in the message, so that another message may well go through. */
const UNSENDABLE: ReadonlySet<RpcErrorCode> = new Set([
  'unsendable_message',
  'too_deep',
  'message_too_large',
]);

/**
 * Only the members in use: spreading options costs more than the rest of a call.
 * @param scope of a request whose exchange the transport is to end by itself
 */
export function sendOptions(
  options: PeerRequestOptions | undefined,
  scope?: ExchangeScope,
): TransportSendOptions | undefined {
  let sent: TransportSendOptions | undefined = scope === undefined ? undefined : { scope };
  if (options === undefined) return sent;
  const { relatedRequestId, headers, resumptionToken, onresumptiontoken } = options;
  if (relatedRequestId !== undefined) (sent ??= {}).relatedRequestId = relatedRequestId;
  if (headers !== undefined) (sent ??= {}).headers = headers;
  if (resumptionToken !== undefined) (sent ??= {}).resumptionToken = resumptionToken;
  if (onresumptiontoken !== undefined) (sent ??= {}).onresumptiontoken = onresumptiontoken;
  return sent;
}

/** The params with the token beside whatever else their `_meta` holds. */
export function withProgressToken(params: object | undefined, token: RequestId): JSONRPCParams {
  const meta = (params as JSONRPCParams | undefined)?.['_meta'];
  return { ...params, _meta: { ...(meta as object | undefined), progressToken: token } };
}

/** What a call rejects with whose message the transport threw at. */
export function asSendFailure(thrown: unknown, method: string | undefined): Error {
  if (thrown instanceof Error) return thrown;
  return new RpcError('send_failed', method === undefined ? {} : { method }, { cause: thrown });
}

/** What is answered when an answer could not be put into a message: the error without its data, or one. */
export function answerInstead(answer: JSONRPCResponse, thrown: unknown): JSONRPCResponse | undefined {
  const id = answer.id ?? undefined;
  if (id === undefined || !isRpcError(thrown) || !UNSENDABLE.has(thrown.code)) return undefined;
  const { code, message } =
    'error' in answer
      ? answer.error
      : { code: ErrorCode.InternalError, message: 'The result could not be sent.' };
  return { jsonrpc: '2.0', id, error: { code, message } };
}
