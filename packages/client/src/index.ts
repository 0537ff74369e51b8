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
export type { InputRequiredOptions } from './input-required.ts';
export type { DroppedListItem, ListItems, ListMethod, WholeList } from './list-walk.ts';
export type { VersionNegotiationMode, VersionNegotiationOptions } from './negotiation.ts';
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
