export type {
  Annotations,
  BaseMetadata,
  CacheScope,
  CacheableResult,
  CancelledNotificationParams,
  Cursor,
  EmptyResult,
  Icon,
  Icons,
  Implementation,
  MetaObject,
  NotificationParams,
  PaginatedRequestParams,
  PaginatedResult,
  ProgressNotificationParams,
  ProgressToken,
  RequestId,
  RequestMeta,
  RequestParams,
  Result,
  Role,
} from './base.ts';
export type { CapabilityFlag, ClientCapabilities, ServerCapabilities } from './capabilities.ts';
export type {
  Codec,
  DecodeRequestOutcome,
  DecodedRequest,
  DecodedResult,
  HeaderReader,
  HeaderSource,
  RequestEnvelope,
  ResultStamp,
  ServerCodec,
} from './codec.ts';
export type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
  ToolResultContent,
  ToolUseContent,
} from './content.ts';
export { elicitContentFault, withElicitDefaults } from './elicit-content.ts';
export type {
  BooleanSchema,
  ElicitRequestFormParams,
  ElicitRequestParams,
  ElicitRequestURLParams,
  ElicitResult,
  ElicitationCompleteNotificationParams,
  EnumSchema,
  LegacyTitledEnumSchema,
  MultiSelectEnumSchema,
  NumberSchema,
  PrimitiveSchemaDefinition,
  SingleSelectEnumSchema,
  StringSchema,
  TitledConst,
  TitledMultiSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  UntitledMultiSelectEnumSchema,
  UntitledSingleSelectEnumSchema,
} from './elicitation.ts';
export { isExtensionId, malformedExtensionId } from './extension-ids.ts';
export {
  LAST_EVENT_ID_HEADER,
  METHOD_HEADER,
  NAME_HEADER,
  PARAM_HEADER_PREFIX,
  PROTOCOL_VERSION_HEADER,
  SESSION_ID_HEADER,
} from './header-names.ts';
export type {
  InputRequest,
  InputRequests,
  InputRequiredResult,
  InputResponse,
  InputResponseRequestParams,
  InputResponses,
} from './input-required.ts';
export type {
  DiscoverResult,
  InitializeRequestParams,
  InitializeResult,
  LoggingLevel,
  LoggingMessageNotificationParams,
  SetLevelRequestParams,
} from './lifecycle.ts';
export { mergeCapabilities } from './merge-capabilities.ts';
export {
  BAGGAGE_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
  isMetaKey,
  isReservedMetaKey,
} from './meta-keys.ts';
export type { MethodRule, MethodTable, Sender } from './methods.ts';
export type {
  CompleteRequestParams,
  CompleteResult,
  GetPromptRequestParams,
  GetPromptResult,
  ListPromptsResult,
  Prompt,
  PromptArgument,
  PromptMessage,
  PromptReference,
  ResourceTemplateReference,
} from './prompts.ts';
export {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ResourceNotFoundError,
  UnsupportedProtocolVersionError,
  UrlElicitationRequiredError,
  receivedError,
} from './protocol-error.ts';
export {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
} from './json-rpc-errors.ts';
export {
  ProtocolErrorCode,
  headerMismatchError,
  isModernErrorCode,
  missingRequiredClientCapabilityError,
  unsupportedProtocolVersionError,
} from './protocol-errors.ts';
export type {
  MissingRequiredClientCapabilityErrorData,
  UnsupportedProtocolVersionErrorData,
  WireError,
} from './protocol-errors.ts';
export type {
  BlobResourceContents,
  ListResourceTemplatesResult,
  ListResourcesResult,
  ReadResourceRequestParams,
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceRequestParams,
  ResourceTemplateType,
  ResourceUpdatedNotificationParams,
  SubscribeRequestParams,
  TextResourceContents,
  UnsubscribeRequestParams,
} from './resources.ts';
export type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ListRootsResult,
  ModelHint,
  ModelPreferences,
  Root,
  SamplingMessage,
  SamplingMessageContentBlock,
  ToolChoice,
  CreateMessageRequestParamsBase,
  CreateMessageRequestParamsWithTools,
  CreateMessageResultWithTools,
  SamplingContent,
} from './sampling.ts';
export { samplingMessagesFault } from './sampling-messages.ts';
export { SDK_ERRORS, SdkError, SdkErrorCode, SdkHttpError } from './sdk-errors.ts';
export type { SdkErrorOptions, SdkHttpErrorData } from './sdk-errors.ts';
export type {
  SubscriptionFilter,
  SubscriptionsAcknowledgedNotificationParams,
  SubscriptionsListenRequestParams,
  SubscriptionsListenResult,
} from './subscriptions.ts';
export {
  isDetailedTask,
  isTaskHandleResult,
  isTaskRequestParams,
  isUpdateTaskRequestParams,
} from './task-guards.ts';
export { TASKS_EXTENSION_ID } from './tasks.ts';
export type {
  CancelledTask,
  CompletedTask,
  DetailedTask,
  FailedTask,
  InputRequiredTask,
  TaskHandleResult,
  TaskMetadata,
  TaskRequestParams,
  TaskState,
  TaskStatus,
  TasksNotificationParams,
  UpdateTaskRequestParams,
  WorkingTask,
} from './tasks.ts';
export type {
  CallToolRequestParams,
  CallToolResult,
  ListToolsResult,
  ObjectSchema,
  Tool,
  ToolAnnotations,
  ToolExecution,
  CompatibilityCallToolResult,
} from './tools.ts';
export {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  LATEST_LEGACY_PROTOCOL_VERSION,
  LATEST_PROTOCOL_VERSION,
  MODERN_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from './versions.ts';
export type { ProtocolEra } from './versions.ts';
export { CODECS, codecFor, isSpecMethod } from './codecs.ts';
export { serverCodecFor } from './server-codecs.ts';
export {
  LOGGING_LEVELS,
  isAnnotations,
  isContentBlock,
  isImplementation,
  isLoggingLevel,
  isProgressToken,
  isRecord,
  isResource,
  isResourceContents,
  isResult,
  isRole,
} from './guards.ts';
export { hasCapability } from './has-capability.ts';
export {
  UI_EXTENSION_ID,
  UI_METHODS,
  UI_MIME_TYPE,
  UI_PROTOCOL_VERSION,
  UI_SANDBOX_PREFIX,
} from './mcp-apps.ts';
export type {
  McpUiActionResult,
  McpUiAppCapabilities,
  McpUiClientCapabilities,
  McpUiContainerDimensions,
  McpUiDisplayMode,
  McpUiDownloadFileParams,
  McpUiHostCapabilities,
  McpUiHostContext,
  McpUiHostStyles,
  McpUiInitializeParams,
  McpUiInitializeResult,
  McpUiMessageParams,
  McpUiOpenLinkParams,
  McpUiRequestDisplayModeParams,
  McpUiRequestDisplayModeResult,
  McpUiResourceCsp,
  McpUiResourceMeta,
  McpUiResourcePermissions,
  McpUiSandboxResourceReadyParams,
  McpUiSizeChangedParams,
  McpUiSupportedContentBlockModalities,
  McpUiTheme,
  McpUiToolCancelledParams,
  McpUiToolInputParams,
  McpUiToolMeta,
  McpUiToolResultParams,
  McpUiToolVisibility,
  McpUiUpdateModelContextParams,
  UiMethod,
} from './mcp-apps.ts';
export {
  isCallToolRequestParams,
  isCompleteRequestParams,
  isCreateMessageRequestParams,
  isElicitRequestParams,
  isGetPromptRequestParams,
  isInitializeRequestParams,
  isLoggingMessageNotificationParams,
  isPaginatedRequestParams,
  isRequestParams,
  isResourceRequestParams,
  isSubscriptionFilter,
  isSubscriptionsListenRequestParams,
} from './param-guards.ts';
export { ObservedTransport } from './observing/observed-transport.ts';
export { beginObservation, bytesOf, outcomeOf } from './observing/request-observer.ts';
export type {
  EndObservation,
  ObserverPort,
  RequestObservation,
  RequestObserver,
  RequestOutcome,
  SeenRequest,
} from './observing/request-observer.ts';
export type { JSONArray, JSONObject, JSONValue } from './json-value.ts';
export type {
  InternalError,
  InvalidParamsError,
  InvalidRequestError,
  MethodNotFoundError,
  Notification,
  PaginatedRequest,
  ParseError,
  Request,
  RequestMetaEnvelope,
  RequestMetaObject,
  ResultMetaObject,
  SubscriptionsListenResultMeta,
} from './message-types.ts';
export type {
  CancelTaskRequest,
  CancelTaskResult,
  CreateTaskResult,
  GetTaskPayloadRequest,
  GetTaskPayloadResult,
  GetTaskRequest,
  GetTaskResult,
  ListTasksRequest,
  ListTasksResult,
  RelatedTaskMetadata,
  Task,
  TaskAugmentedRequestParams,
  TaskCreationParams,
  TaskStatusNotification,
  TaskStatusNotificationParams,
} from './legacy-tasks.ts';
export type { ListChangedCallback, ListChangedHandlers, ListChangedOptions } from './list-changed.ts';
export type { MessageClassification } from './message-classification.ts';
export { traceMeta } from './trace-context.ts';
export type { TraceContext, TraceMeta } from './trace-context.ts';
export { hasEnvelope, readProtocolVersion } from './read-protocol-version.ts';
export {
  isCallToolResult,
  isCapabilities,
  isCompleteResult,
  isDiscoverResult,
  isGetPromptResult,
  isInitializeResult,
  isInputRequiredResult,
  isListPromptsResult,
  isListResourceTemplatesResult,
  isListResourcesResult,
  isListToolsResult,
  isPrompt,
  isReadResourceResult,
  isResourceTemplate,
  isTool,
} from './result-guards.ts';
export { isCreateMessageResult, isElicitResult, isListRootsResult } from './client-result-guards.ts';
export { decodeHeaderValue, encodeHeaderValue } from './rev-2026-07-28/header-values.ts';
export { checkParamHeaders, encodeParamHeaders, findParamHeaders } from './rev-2026-07-28/param-headers.ts';
export type { ParamHeader, ParamHeaderRules, ParamHeaders } from './rev-2026-07-28/param-headers.ts';
export { getToolUi, supportsUi } from './tool-ui.ts';
export type { ToolUi } from './tool-ui.ts';
export { getDisplayName } from './display-name.ts';
export { createFetchWithInit } from './fetch-with-init.ts';
export type { FetchLike } from './fetch-with-init.ts';
export { isJsonContentType } from './media-type.ts';
export {
  assertCompleteRequestPrompt,
  assertCompleteRequestResourceTemplate,
  isInitializeRequest,
  isInitializedNotification,
  isTaskAugmentedRequestParams,
} from './message-guards.ts';
export { checkResourceAllowed, resourceUrlFromServerUrl } from './resource-url.ts';
export { UriTemplate } from './uri-template.ts';
export type { Variables } from './uri-template.ts';
export { toLocalError } from './local-error.ts';
export { checkResult, requireResultSchema, toMessageHandler } from './method-schemas.ts';
export type { InferHandlerResult, RequestHandlerSchemas } from './method-schemas.ts';
export type {
  CallToolRequest,
  CancelledNotification,
  ClientNotification,
  ClientRequest,
  CompleteRequest,
  CompleteRequestPrompt,
  CompleteRequestResourceTemplate,
  CreateMessageRequest,
  DiscoverRequest,
  ElicitRequest,
  ElicitationCompleteNotification,
  GetPromptRequest,
  HandlerResultTypeMap,
  InitializeRequest,
  InitializedNotification,
  ListPromptsRequest,
  ListResourceTemplatesRequest,
  ListResourcesRequest,
  ListRootsRequest,
  ListToolsRequest,
  LoggingMessageNotification,
  NotificationMethod,
  NotificationTypeMap,
  PingRequest,
  ProgressNotification,
  PromptListChangedNotification,
  ReadResourceRequest,
  RequestMethod,
  RequestTypeMap,
  ResourceListChangedNotification,
  ResourceUpdatedNotification,
  ResultTypeMap,
  RootsListChangedNotification,
  ServerNotification,
  ServerRequest,
  SetLevelRequest,
  SubscribeRequest,
  SubscriptionsAcknowledgedNotification,
  SubscriptionsListenRequest,
  ToolListChangedNotification,
  UnsubscribeRequest,
  ClientResult,
  ServerResult,
} from './method-types.ts';
export { Protocol } from './protocol.ts';
export type { ProtocolOptions } from './protocol.ts';
export type {
  BaseContext,
  NotificationOptions,
  ProtocolMessage,
  ProtocolRequestOptions,
  SendRequest,
  ClientContext,
  RequestStateAccessor,
  ServerContext,
} from './protocol-context.ts';
export { createSendRequest, toPeerOptions } from './protocol-sending.ts';
export { describeIssues, isStandardSchema } from './standard-schema.ts';
export type {
  InferOutput,
  StandardSchemaIssue,
  StandardSchemaResult,
  StandardSchemaV1,
  StandardSchemaV1Sync,
  StandardSchemaWithJSON,
} from './standard-schema.ts';
export type { SpecTypeName, SpecTypes } from './spec-types/spec-types.ts';
export { isSpecType, preloadSchemas, specTypeSchemas } from './spec-types/validators.ts';
