export { Client } from './client.ts';
export { ClientConnection } from './client-connection.ts';
export type { ParamHeaderOptions } from './tool-catalogue.ts';
export type { ClientOptions, ConnectOptions, ConnectionOptions } from './client-options.ts';
export { InMemoryEraStore } from './era-store.ts';
export type { EraStore, EraVerdict, PriorDiscovery } from './era-store.ts';
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
export { getSupportedElicitationModes } from './feature-guards.ts';
export type { ClientContext, ClientRequestContext, OutgoingRequest, SendRequest } from './handler-context.ts';
export type {
  HandlerSchemas,
  IncomingNotification,
  IncomingRequest,
  NotificationHandler,
  RequestHandler,
  ServedNotifications,
  ServedRequests,
} from './handlers.ts';
export { StreamableHTTPClientTransport } from './http/transport.ts';
export type { StreamableHTTPClientTransportOptions } from './http/transport.ts';
export type { ReconnectionScheduler, StreamableHTTPReconnectionOptions } from './http/reconnection.ts';
export type { HttpAnswer, HttpClient, HttpRequest, TakeChunk } from './http/http-client.ts';
export { ExchangeScope } from './http/exchange-scope.ts';
export { SSEClientTransport, mayNeedSseTransport } from './http/sse-transport.ts';
export type { SSEClientTransportOptions } from './http/sse-transport.ts';
export { SseError } from './http/sse-error.ts';
export type { InputRequiredOptions } from './input-required.ts';
export { withInputRequired } from './with-input-required.ts';
export type { ListChangedCallback, ListChangedHandlers, ListChangedOptions } from './list-changed.ts';
export type { CacheableRequestOptions, ListOptions } from './list-reader.ts';
export type { DroppedListItem, ListItems, ListMethod, WholeList } from './list-walk.ts';
export type {
  VersionNegotiationMode,
  VersionNegotiationOptions,
  VersionNegotiationProbeOptions,
} from './negotiation.ts';
export { InMemoryResponseCacheStore } from './response-cache-store.ts';
export type {
  CacheEntry,
  CacheKey,
  CacheWrite,
  InMemoryResponseCacheStoreOptions,
  MaybePromise,
  ResponseCacheStore,
} from './response-cache-store.ts';
export { MAX_CACHE_TTL_MS } from './response-cache.ts';
export type { CacheMode } from './response-cache.ts';
export type { ResultTypeMap } from './result-checks.ts';
export type { CallToolRequestOptions } from './tool-calls.ts';
export type { TaskOptions } from './task-run.ts';
export type { RequestOptions } from './request-options.ts';
export type { McpSubscription } from './subscription.ts';
export {
  DEFAULT_REQUEST_TIMEOUT_MSEC,
  InMemoryTransport,
  JSONRPC_VERSION,
  ReadBuffer,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  deserializeMessage,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJSONRPCResultResponse,
  parseJSONRPCMessage,
  serializeLine as serializeMessage,
} from '@portico/rpc';
export type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  MessageExtraInfo,
  Progress,
  ProgressCallback,
  Transport,
  TransportSendOptions,
} from '@portico/rpc';
export {
  BAGGAGE_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  LATEST_LEGACY_PROTOCOL_VERSION as LATEST_PROTOCOL_VERSION,
  LOG_LEVEL_META_KEY,
  METHOD_NOT_FOUND,
  MissingRequiredClientCapabilityError,
  PARSE_ERROR,
  PROTOCOL_VERSION_META_KEY,
  Protocol,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  ResourceNotFoundError,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
  UnsupportedProtocolVersionError,
  UriTemplate,
  UrlElicitationRequiredError,
  assertCompleteRequestPrompt,
  assertCompleteRequestResourceTemplate,
  checkResourceAllowed,
  createFetchWithInit,
  getDisplayName,
  isCallToolResult,
  isInitializeRequest,
  isInitializedNotification,
  isInputRequiredResult,
  isJsonContentType,
  isTaskAugmentedRequestParams,
  mergeCapabilities,
  resourceUrlFromServerUrl,
} from '@portico/spec';
export type { FetchLike, ProtocolEra, Variables } from '@portico/spec';
export { applyMiddlewares, createMiddleware, withLogging } from './middleware.ts';
export type { LoggedRequest, LoggingOptions, Middleware, RequestLogger } from './middleware.ts';
