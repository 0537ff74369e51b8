import type {
  Annotations,
  BaseMetadata,
  CancelledNotificationParams,
  Cursor,
  EmptyResult,
  Icon,
  Icons,
  Implementation,
  PaginatedRequestParams,
  PaginatedResult,
  ProgressNotificationParams,
  ProgressToken,
  RequestId,
  RequestMeta,
  Result,
  Role,
} from '../base.ts';
import type { ClientCapabilities, ServerCapabilities } from '../capabilities.ts';
import type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
  ToolResultContent,
  ToolUseContent,
} from '../content.ts';
import type {
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
  TitledMultiSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  UntitledMultiSelectEnumSchema,
  UntitledSingleSelectEnumSchema,
} from '../elicitation.ts';
import type {
  DiscoverResult,
  InitializeRequestParams,
  InitializeResult,
  LoggingLevel,
  LoggingMessageNotificationParams,
  SetLevelRequestParams,
} from '../lifecycle.ts';
import type {
  CallToolRequest,
  CancelledNotification,
  ClientNotification,
  ClientRequest,
  CompleteRequest,
  CreateMessageRequest,
  DiscoverRequest,
  ElicitRequest,
  ElicitationCompleteNotification,
  GetPromptRequest,
  InitializeRequest,
  InitializedNotification,
  ListPromptsRequest,
  ListResourceTemplatesRequest,
  ListResourcesRequest,
  ListRootsRequest,
  ListToolsRequest,
  LoggingMessageNotification,
  PingRequest,
  ProgressNotification,
  PromptListChangedNotification,
  ReadResourceRequest,
  ResourceListChangedNotification,
  ResourceUpdatedNotification,
  RootsListChangedNotification,
  ServerNotification,
  ServerRequest,
  SetLevelRequest,
  SubscribeRequest,
  SubscriptionsAcknowledgedNotification,
  SubscriptionsListenRequest,
  ToolListChangedNotification,
  UnsubscribeRequest,
} from '../method-types.ts';
import type {
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
} from '../prompts.ts';
import type {
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
} from '../resources.ts';
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ListRootsResult,
  ModelHint,
  ModelPreferences,
  Root,
  SamplingMessage,
  SamplingMessageContentBlock,
  ToolChoice,
} from '../sampling.ts';
import type {
  SubscriptionFilter,
  SubscriptionsAcknowledgedNotificationParams,
  SubscriptionsListenRequestParams,
  SubscriptionsListenResult,
} from '../subscriptions.ts';
import type { TaskMetadata, TaskStatus } from '../tasks.ts';
import type {
  CallToolRequestParams,
  CallToolResult,
  ListToolsResult,
  Tool,
  ToolAnnotations,
  ToolExecution,
} from '../tools.ts';
import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
} from '@portico/rpc';

/** The type of each name that `isSpecType` and `specTypeSchemas` know. */
export interface SpecTypes {
  Annotations: Annotations;
  AudioContent: AudioContent;
  BaseMetadata: BaseMetadata;
  BlobResourceContents: BlobResourceContents;
  BooleanSchema: BooleanSchema;
  CallToolRequestParams: CallToolRequestParams;
  CallToolRequest: CallToolRequest;
  CallToolResult: CallToolResult;
  CancelTaskRequest: { [key: string]: unknown };
  CancelTaskResult: { [key: string]: unknown };
  CancelledNotificationParams: CancelledNotificationParams;
  CancelledNotification: CancelledNotification;
  ClientCapabilities: ClientCapabilities;
  ClientNotification: ClientNotification;
  ClientRequest: ClientRequest;
  ClientResult: { [key: string]: unknown };
  CompatibilityCallToolResult: { [key: string]: unknown };
  CompleteRequestParams: CompleteRequestParams;
  CompleteRequest: CompleteRequest;
  CompleteResult: CompleteResult;
  ContentBlock: ContentBlock;
  CreateMessageRequestParams: CreateMessageRequestParams;
  CreateMessageRequest: CreateMessageRequest;
  CreateMessageResult: CreateMessageResult;
  CreateMessageResultWithTools: { [key: string]: unknown };
  CreateTaskResult: { [key: string]: unknown };
  Cursor: Cursor;
  DiscoverRequest: DiscoverRequest;
  DiscoverResult: DiscoverResult;
  ElicitRequestFormParams: ElicitRequestFormParams;
  ElicitRequestParams: ElicitRequestParams;
  ElicitRequest: ElicitRequest;
  ElicitRequestURLParams: ElicitRequestURLParams;
  ElicitResult: ElicitResult;
  ElicitationCompleteNotificationParams: ElicitationCompleteNotificationParams;
  ElicitationCompleteNotification: ElicitationCompleteNotification;
  EmbeddedResource: EmbeddedResource;
  EmptyResult: EmptyResult;
  EnumSchema: EnumSchema;
  GetPromptRequestParams: GetPromptRequestParams;
  GetPromptRequest: GetPromptRequest;
  GetPromptResult: GetPromptResult;
  GetTaskPayloadRequest: { [key: string]: unknown };
  GetTaskPayloadResult: { [key: string]: unknown };
  GetTaskRequest: { [key: string]: unknown };
  GetTaskResult: { [key: string]: unknown };
  Icon: Icon;
  Icons: Icons;
  ImageContent: ImageContent;
  Implementation: Implementation;
  InitializeRequestParams: InitializeRequestParams;
  InitializeRequest: InitializeRequest;
  InitializeResult: InitializeResult;
  InitializedNotification: InitializedNotification;
  JSONArray: unknown[];
  JSONObject: { [key: string]: unknown };
  JSONRPCErrorResponse: JSONRPCErrorResponse;
  JSONRPCMessage: JSONRPCMessage;
  JSONRPCNotification: JSONRPCNotification;
  JSONRPCRequest: JSONRPCRequest;
  JSONRPCResponse: JSONRPCResponse;
  JSONRPCResultResponse: JSONRPCResultResponse;
  JSONValue: unknown;
  LegacyTitledEnumSchema: LegacyTitledEnumSchema;
  ListPromptsRequest: ListPromptsRequest;
  ListPromptsResult: ListPromptsResult;
  ListResourceTemplatesRequest: ListResourceTemplatesRequest;
  ListResourceTemplatesResult: ListResourceTemplatesResult;
  ListResourcesRequest: ListResourcesRequest;
  ListResourcesResult: ListResourcesResult;
  ListRootsRequest: ListRootsRequest;
  ListRootsResult: ListRootsResult;
  ListTasksRequest: { [key: string]: unknown };
  ListTasksResult: { [key: string]: unknown };
  ListToolsRequest: ListToolsRequest;
  ListToolsResult: ListToolsResult;
  LoggingLevel: LoggingLevel;
  LoggingMessageNotificationParams: LoggingMessageNotificationParams;
  LoggingMessageNotification: LoggingMessageNotification;
  ModelHint: ModelHint;
  ModelPreferences: ModelPreferences;
  MultiSelectEnumSchema: MultiSelectEnumSchema;
  Notification: { [key: string]: unknown };
  NumberSchema: NumberSchema;
  PaginatedRequestParams: PaginatedRequestParams;
  PaginatedRequest: { [key: string]: unknown };
  PaginatedResult: PaginatedResult;
  PingRequest: PingRequest;
  PrimitiveSchemaDefinition: PrimitiveSchemaDefinition;
  ProgressNotificationParams: ProgressNotificationParams;
  ProgressNotification: ProgressNotification;
  Progress: { [key: string]: unknown };
  ProgressToken: ProgressToken;
  PromptArgument: PromptArgument;
  PromptListChangedNotification: PromptListChangedNotification;
  PromptMessage: PromptMessage;
  PromptReference: PromptReference;
  Prompt: Prompt;
  ReadResourceRequestParams: ReadResourceRequestParams;
  ReadResourceRequest: ReadResourceRequest;
  ReadResourceResult: ReadResourceResult;
  RelatedTaskMetadata: { [key: string]: unknown };
  RequestId: RequestId;
  RequestMeta: RequestMeta;
  Request: { [key: string]: unknown };
  ResourceContents: ResourceContents;
  ResourceLink: ResourceLink;
  ResourceListChangedNotification: ResourceListChangedNotification;
  ResourceRequestParams: ResourceRequestParams;
  Resource: Resource;
  ResourceTemplateReference: ResourceTemplateReference;
  ResourceTemplate: ResourceTemplateType;
  ResourceUpdatedNotificationParams: ResourceUpdatedNotificationParams;
  ResourceUpdatedNotification: ResourceUpdatedNotification;
  ResultMetaObject: { [key: string]: unknown };
  Result: Result;
  Role: Role;
  Root: Root;
  RootsListChangedNotification: RootsListChangedNotification;
  SamplingContent: { [key: string]: unknown };
  SamplingMessageContentBlock: SamplingMessageContentBlock;
  SamplingMessage: SamplingMessage;
  ServerCapabilities: ServerCapabilities;
  ServerNotification: ServerNotification;
  ServerRequest: ServerRequest;
  ServerResult: { [key: string]: unknown };
  SetLevelRequestParams: SetLevelRequestParams;
  SetLevelRequest: SetLevelRequest;
  SingleSelectEnumSchema: SingleSelectEnumSchema;
  StringSchema: StringSchema;
  SubscribeRequestParams: SubscribeRequestParams;
  SubscribeRequest: SubscribeRequest;
  SubscriptionFilter: SubscriptionFilter;
  SubscriptionsAcknowledgedNotificationParams: SubscriptionsAcknowledgedNotificationParams;
  SubscriptionsAcknowledgedNotification: SubscriptionsAcknowledgedNotification;
  SubscriptionsListenRequestParams: SubscriptionsListenRequestParams;
  SubscriptionsListenRequest: SubscriptionsListenRequest;
  SubscriptionsListenResultMeta: { [key: string]: unknown };
  SubscriptionsListenResult: SubscriptionsListenResult;
  TaskAugmentedRequestParams: { [key: string]: unknown };
  TaskCreationParams: { [key: string]: unknown };
  TaskMetadata: TaskMetadata;
  Task: { [key: string]: unknown };
  TaskStatusNotificationParams: { [key: string]: unknown };
  TaskStatusNotification: { [key: string]: unknown };
  TaskStatus: TaskStatus;
  TextContent: TextContent;
  TextResourceContents: TextResourceContents;
  TitledMultiSelectEnumSchema: TitledMultiSelectEnumSchema;
  TitledSingleSelectEnumSchema: TitledSingleSelectEnumSchema;
  ToolAnnotations: ToolAnnotations;
  ToolChoice: ToolChoice;
  ToolExecution: ToolExecution;
  ToolListChangedNotification: ToolListChangedNotification;
  ToolResultContent: ToolResultContent;
  Tool: Tool;
  ToolUseContent: ToolUseContent;
  UnsubscribeRequestParams: UnsubscribeRequestParams;
  UnsubscribeRequest: UnsubscribeRequest;
  UntitledMultiSelectEnumSchema: UntitledMultiSelectEnumSchema;
  UntitledSingleSelectEnumSchema: UntitledSingleSelectEnumSchema;
}

export type SpecTypeName = keyof SpecTypes;
