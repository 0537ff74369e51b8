export { Client } from './client.ts';
export { ClientConnection } from './client-connection.ts';
export type { ClientOptions } from './client-connection.ts';
export { SDK_ERRORS, SdkError, SdkErrorCode, SdkHttpError } from './errors.ts';
export type {
  NetworkErrorData,
  NetworkStep,
  SdkErrorOptions,
  SdkHttpErrorData,
  StdioExitData,
  StdioSpawnData,
} from './errors.ts';
export { failureOf } from './failure.ts';
export type { ClientFailure, FailureStep } from './failure.ts';
export type {
  ClientContext,
  IncomingNotification,
  IncomingRequest,
  NotificationHandler,
  RequestHandler,
} from './handlers.ts';
export { StreamableHTTPClientTransport } from './http/transport.ts';
export type { StreamableHTTPClientTransportOptions } from './http/transport.ts';
export type { ReconnectionScheduler, StreamableHTTPReconnectionOptions } from './http/reconnection.ts';
export type { HttpAnswer, HttpClient, HttpRequest, TakeChunk } from './http/http-client.ts';
export { ExchangeScope } from './http/exchange-scope.ts';
export type { FetchLike } from './http/fetch-client.ts';
export type { InputRequiredOptions } from './input-required.ts';
export type { DroppedListItem, ListItems, ListMethod, WholeList } from './list-walk.ts';
export type { VersionNegotiationMode, VersionNegotiationOptions } from './negotiation.ts';
export { DEFAULT_REQUEST_TIMEOUT_MSEC } from './request-options.ts';
export type { RequestOptions } from './request-options.ts';
export type { McpSubscription } from './subscription.ts';
