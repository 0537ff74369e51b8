import type { JSONRPCErrorObject } from '@portico/rpc';
import type {
  Implementation,
  MetaObject,
  NotificationParams,
  PaginatedRequestParams,
  RequestId,
  RequestMeta,
  RequestParams,
} from './base.ts';
import type { SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from './meta-keys.ts';
import type {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
} from './json-rpc-errors.ts';

/** A request of any method, without what JSON-RPC adds. */
export interface Request {
  method: string;
  params?: RequestParams & { [key: string]: unknown };
}

/** A notification of any method, without what JSON-RPC adds. */
export interface Notification {
  method: string;
  params?: NotificationParams & { [key: string]: unknown };
}

/** A request that may name a place in a list. */
export interface PaginatedRequest extends Request {
  params?: PaginatedRequestParams & { [key: string]: unknown };
}

/** The `_meta` of a request, as a handler sees it. */
export type RequestMetaObject = RequestMeta;

/** The keys of the modern envelope, which codecs read and write: none is left for handlers. */
export type RequestMetaEnvelope = Record<never, never>;

/** The `_meta` of a result; modern ones say which server they come from. */
export interface ResultMetaObject extends MetaObject {
  [SERVER_INFO_META_KEY]?: Implementation;
}

/** The `_meta` of what ends a stream of change notices. */
export interface SubscriptionsListenResultMeta extends ResultMetaObject {
  [SUBSCRIPTION_ID_META_KEY]: RequestId;
}

/** The text is no JSON. */
export interface ParseError extends JSONRPCErrorObject {
  code: typeof PARSE_ERROR;
}

/** The JSON is no message. */
export interface InvalidRequestError extends JSONRPCErrorObject {
  code: typeof INVALID_REQUEST;
}

/** There is no such method. */
export interface MethodNotFoundError extends JSONRPCErrorObject {
  code: typeof METHOD_NOT_FOUND;
}

/** The params are not what the method takes. */
export interface InvalidParamsError extends JSONRPCErrorObject {
  code: typeof INVALID_PARAMS;
}

/** Serving the request failed. */
export interface InternalError extends JSONRPCErrorObject {
  code: typeof INTERNAL_ERROR;
}
