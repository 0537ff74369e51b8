export {
  OAuthError,
  OAuthErrorCode,
  RESOURCE_CONFIG_ERRORS,
  ResourceConfigError,
  bearerAuthChallengeResponse,
  buildOAuthProtectedResourceMetadata,
  getOAuthProtectedResourceMetadataUrl,
  oauthMetadataResponse,
  requireBearerAuth,
  verifyBearerToken,
} from '@portico/oauth/resource';
export type {
  AuthInfo,
  AuthMetadataOptions,
  AuthorizationServerMetadata,
  IdJagTokenExchangeResponse,
  OAuthClientInformation,
  OAuthClientInformationFull,
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientRegistrationError,
  OAuthErrorResponse,
  OAuthMetadata,
  OAuthProtectedResourceMetadata,
  OAuthTokenRevocationRequest,
  OAuthTokens,
  OpenIdProviderDiscoveryMetadata,
  OpenIdProviderMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
  BearerAuthOptions,
  DpopDemands,
  ImpliedScopes,
  OAuthTokenVerifier,
  ResourceConfigErrorCode,
  ResourceConfigErrorData,
  TokenPresentation,
  VerifyBearerTokenOptions,
} from '@portico/oauth/resource';
export type { ClientView, ServerContext, ServerRequestScope } from './context.ts';
export type { Caller, LegacySession } from './caller.ts';
export { completable, isCompletable } from './completable.ts';
export type {
  CompleteCallback as CompleteResourceTemplateCallback,
  CompletableSchema,
} from './completable.ts';
export type { CompleteCallback } from './completable.ts';
export type { HttpDetails, RequestChannel, SubscriptionSlots } from './channel.ts';
export { ServerConnection } from './connection.ts';
export type { ConnectionOptions } from './connection.ts';
export type { HandledRequest, ServerRequestHandler } from './dispatcher.ts';
export { SERVER_ERRORS, ServerError } from './errors.ts';
export type { ServerErrorCode } from './errors.ts';
export { withCors } from './http/cors.ts';
export type { CorsOptions, CorsTarget } from './http/cors.ts';
export { withBearerAuth } from './http/with-bearer-auth.ts';
export { createMcpHandler } from './http/create-mcp-handler.ts';
export type {
  CreateMcpHandlerOptions,
  McpHandlerRequestOptions,
  McpHttpHandler,
} from './http/create-mcp-handler.ts';
export type { EventId, EventStore, StreamId } from './http/event-store.ts';
export { EVENT_STREAM_HEADERS } from './http/event-stream.ts';
export type { EventSink, EventStream } from './http/event-stream.ts';
export type { ResponseMode, ResponseMode as PerRequestResponseMode } from './http/exchange.ts';
export type { McpRequestContext, McpServerFactory } from './http/handler-target.ts';
export { readRequestBody } from './http/fetch-face.ts';
export type { HandWiredGuardOptions, HostGuardOptions } from './http/host-guard.ts';
export { DEFAULT_MAX_REQUEST_BODY_SIZE, bodyTooLarge } from './http/http-message.ts';
export type { HttpAnswer, HttpRequest } from './http/http-message.ts';
export { InMemoryEventStore } from './http/in-memory-event-store.ts';
export { classifyInboundRequest } from './http/inbound-classification.ts';
export type {
  InboundClassificationOutcome,
  InboundHttpRequest,
  InboundLadderRejection,
  InboundLegacyRoute,
  InboundLegacyRouteReason,
  InboundModernRoute,
  InboundValidationRung,
} from './http/inbound-classification.ts';
export { isLegacyRequest } from './http/is-legacy-request.ts';
export type { IsLegacyRequestOptions } from './http/is-legacy-request.ts';
export { legacyStatelessFallback } from './http/legacy-stateless-fallback.ts';
export type { LegacyHttpHandler, LegacyStatelessFallbackOptions } from './http/legacy-stateless-fallback.ts';
export { PerRequestHTTPServerTransport } from './http/per-request-transport.ts';
export type {
  PerRequestHTTPServerTransportOptions,
  PerRequestMessageExtra,
} from './http/per-request-transport.ts';
export type { SessionOptions } from './http/sessions.ts';
export { SseSession } from './http/sse-session.ts';
export type { SseSessionOptions } from './http/sse-session.ts';
export { WebStandardStreamableHTTPServerTransport } from './http/web-standard-transport.ts';
export type {
  HandleRequestOptions,
  WebStandardStreamableHTTPServerTransportOptions,
} from './http/web-standard-transport.ts';
export { acceptedContent, inputRequired, inputResponse } from './input-required.ts';
export type {
  ElicitInput,
  InputRequiredBuilder,
  InputRequiredSpec,
  InputResponseView,
} from './input-required.ts';
export { McpServer } from './mcp/mcp-server.ts';
export type { McpServerOptions, RatedCall, RateLimit, ResourceConfig } from './mcp/mcp-server.ts';
export { isSafeIconUri } from './mcp/icons.ts';
export { toolHints } from './mcp/tool-hints.ts';
export type { ToolHints } from './mcp/tool-hints.ts';
export type { PromptCallback, PromptConfig, RegisteredPrompt } from './mcp/prompt-handlers.ts';
export type { CacheHint } from './cache-hint.ts';
export type {
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredResource,
  RegisteredResourceTemplate,
  ResourceMetadata,
} from './mcp/resource-registration.ts';
export type {
  RegisteredTool,
  ToolCallback,
  ToolConfig,
  AnyToolHandler,
  BaseToolCallback,
} from './mcp/tool-registration.ts';
export type { InputRequiredOptions, VerifyRequestState } from './multi-round.ts';
export { ResourceTemplate } from './resource-template.ts';
export type { ListResourcesCallback, ResourceTemplateCallbacks } from './resource-template.ts';
export { createSchemaCompiler } from './schema/schema-compiler.ts';
export type { CompiledSchema, SchemaCompiler } from './schema/schema-compiler.ts';
export type { SchemaDirection } from './schema/convert-schema.ts';
export { fromJsonSchema } from './schema/from-json-schema.ts';
export type { RawShape } from './schema/raw-shape.ts';
export type { Validation } from './schema/plain-schema.ts';
export type {
  InferArguments,
  JsonSchema,
  SchemaDefinition,
  StandardSchema,
} from './schema/standard-schema.ts';
export { Server } from './typed-server.ts';
export type { ServerNotificationHandler } from './server.ts';
export type { ServerOptions } from './server-options.ts';
export { InMemoryServerEventBus } from './server-events.ts';
export type { ServerEvent, ServerEventBus, ServerNotifier } from './server-events.ts';
export {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  validateHostHeader,
  validateOriginHeader,
} from './http/header-validation.ts';
export type { HostHeaderValidationResult, OriginValidationResult } from './http/header-validation.ts';
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
  SdkError,
  SdkErrorCode,
  SdkHttpError,
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
  traceMeta,
} from '@portico/spec';
export type {
  FetchLike,
  ProtocolEra,
  RequestObservation,
  RequestObserver,
  RequestOutcome,
  TraceContext,
  TraceMeta,
  SdkHttpErrorData,
  Variables,
} from '@portico/spec';
export { requireOperationScopes, requireScopes } from './scopes/scope-challenge.ts';
export type { OperationScopes, ScopeChallenge, ScopeChallengeHandler } from './scopes/scope-challenge.ts';
export { createRequestStateCodec } from './request-state-codec.ts';
export type { RequestStateCodec, RequestStateCodecOptions } from './request-state-codec.ts';
export { InMemoryTaskStore } from './tasks/task-store.ts';
export type { StoredTask, TaskStore } from './tasks/task-store.ts';
export type { TaskRun, TaskWork } from './tasks/task-run.ts';
export type { TaskOptions, TaskStarter, TaskStartOptions } from './tasks/task-service.ts';
export type {
  Annotations,
  AudioContent,
  BaseContext,
  BaseMetadata,
  BlobResourceContents,
  BooleanSchema,
  CacheScope,
  CallToolRequest,
  CallToolRequestParams,
  CallToolResult,
  CancelledNotification,
  CancelledNotificationParams,
  ClientCapabilities,
  ClientNotification,
  ClientRequest,
  CompleteRequest,
  CompleteRequestParams,
  CompleteRequestPrompt,
  CompleteRequestResourceTemplate,
  CompleteResult,
  ContentBlock,
  CreateMessageRequest,
  CreateMessageRequestParams,
  CreateMessageResult,
  Cursor,
  DiscoverRequest,
  DiscoverResult,
  ElicitRequest,
  ElicitRequestFormParams,
  ElicitRequestParams,
  ElicitRequestURLParams,
  ElicitResult,
  ElicitationCompleteNotification,
  ElicitationCompleteNotificationParams,
  EmbeddedResource,
  EmptyResult,
  EnumSchema,
  GetPromptRequest,
  GetPromptRequestParams,
  GetPromptResult,
  HandlerResultTypeMap,
  Icon,
  Icons,
  ImageContent,
  Implementation,
  InitializeRequest,
  InitializeRequestParams,
  InitializeResult,
  InitializedNotification,
  InputRequest,
  InputRequests,
  InputRequiredResult,
  InputResponse,
  InputResponses,
  LegacyTitledEnumSchema,
  ListPromptsRequest,
  ListPromptsResult,
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ListResourcesRequest,
  ListResourcesResult,
  ListRootsRequest,
  ListRootsResult,
  ListToolsRequest,
  ListToolsResult,
  LoggingLevel,
  LoggingMessageNotification,
  LoggingMessageNotificationParams,
  MetaObject,
  MissingRequiredClientCapabilityErrorData,
  ModelHint,
  ModelPreferences,
  MultiSelectEnumSchema,
  NotificationMethod,
  NotificationOptions,
  NotificationParams,
  NotificationTypeMap,
  NumberSchema,
  PaginatedRequestParams,
  PaginatedResult,
  PingRequest,
  PrimitiveSchemaDefinition,
  ProgressNotification,
  ProgressNotificationParams,
  ProgressToken,
  Prompt,
  PromptArgument,
  PromptListChangedNotification,
  PromptMessage,
  PromptReference,
  ProtocolOptions,
  ReadResourceRequest,
  ReadResourceRequestParams,
  ReadResourceResult,
  RequestHandlerSchemas,
  RequestId,
  RequestMeta,
  RequestMethod,
  RequestParams,
  RequestTypeMap,
  Resource,
  ResourceContents,
  ResourceLink,
  ResourceListChangedNotification,
  ResourceRequestParams,
  ResourceTemplateReference,
  ResourceTemplateType,
  ResourceUpdatedNotification,
  ResourceUpdatedNotificationParams,
  Result,
  ResultTypeMap,
  Role,
  Root,
  RootsListChangedNotification,
  SamplingMessage,
  SamplingMessageContentBlock,
  ServerCapabilities,
  ServerNotification,
  ServerRequest,
  SetLevelRequest,
  SetLevelRequestParams,
  SingleSelectEnumSchema,
  StandardSchemaV1,
  StandardSchemaV1Sync,
  StringSchema,
  SubscribeRequest,
  SubscribeRequestParams,
  SubscriptionFilter,
  SubscriptionsAcknowledgedNotification,
  SubscriptionsAcknowledgedNotificationParams,
  SubscriptionsListenRequest,
  SubscriptionsListenRequestParams,
  SubscriptionsListenResult,
  TaskMetadata,
  TaskStatus,
  TextContent,
  TextResourceContents,
  TitledMultiSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  Tool,
  ToolAnnotations,
  ToolChoice,
  ToolExecution,
  ToolListChangedNotification,
  ToolResultContent,
  ToolUseContent,
  UnsubscribeRequest,
  UnsubscribeRequestParams,
  UnsupportedProtocolVersionErrorData,
  UntitledMultiSelectEnumSchema,
  UntitledSingleSelectEnumSchema,
} from '@portico/spec';
export { isSpecType, preloadSchemas, specTypeSchemas } from '@portico/spec';
export type { SpecTypeName, SpecTypes } from '@portico/spec';
export type {
  CancelTaskRequest,
  CancelTaskResult,
  ClientResult,
  CompatibilityCallToolResult,
  CreateMessageRequestParamsBase,
  CreateMessageRequestParamsWithTools,
  CreateMessageResultWithTools,
  CreateTaskResult,
  GetTaskPayloadRequest,
  GetTaskPayloadResult,
  GetTaskRequest,
  GetTaskResult,
  InternalError,
  InvalidParamsError,
  InvalidRequestError,
  JSONArray,
  JSONObject,
  JSONValue,
  ListTasksRequest,
  ListTasksResult,
  MethodNotFoundError,
  Notification,
  PaginatedRequest,
  ParseError,
  RelatedTaskMetadata,
  Request,
  RequestMetaEnvelope,
  RequestMetaObject,
  RequestStateAccessor,
  ResultMetaObject,
  SamplingContent,
  ServerResult,
  StandardSchemaWithJSON,
  SubscriptionsListenResultMeta,
  Task,
  TaskAugmentedRequestParams,
  TaskCreationParams,
  TaskStatusNotification,
  TaskStatusNotificationParams,
  ListChangedCallback,
  ListChangedHandlers,
  ListChangedOptions,
  ClientContext,
  ProtocolRequestOptions as RequestOptions,
} from '@portico/spec';
export type {
  JsonSchemaType,
  JsonSchemaValidator,
  JsonSchemaValidatorResult,
  jsonSchemaValidator,
} from '@portico/spec/json-schema';
export type { MessageClassification } from '@portico/spec';
export type { ElicitInput as ElicitInputParams } from './input-required.ts';
