import type {
  CancelledNotificationParams,
  EmptyResult,
  NotificationParams,
  PaginatedRequestParams,
  ProgressNotificationParams,
  RequestParams,
} from './base.ts';
import type {
  ElicitRequestParams,
  ElicitResult,
  ElicitationCompleteNotificationParams,
} from './elicitation.ts';
import type { InputRequiredResult } from './input-required.ts';
import type {
  DiscoverResult,
  InitializeRequestParams,
  InitializeResult,
  LoggingMessageNotificationParams,
  SetLevelRequestParams,
} from './lifecycle.ts';
import type {
  CompleteRequestParams,
  CompleteResult,
  GetPromptRequestParams,
  GetPromptResult,
  ListPromptsResult,
  PromptReference,
  ResourceTemplateReference,
} from './prompts.ts';
import type {
  ListResourceTemplatesResult,
  ListResourcesResult,
  ReadResourceRequestParams,
  ReadResourceResult,
  ResourceUpdatedNotificationParams,
  SubscribeRequestParams,
  UnsubscribeRequestParams,
} from './resources.ts';
import type { CreateMessageRequestParams, CreateMessageResult, ListRootsResult } from './sampling.ts';
import type {
  SubscriptionsAcknowledgedNotificationParams,
  SubscriptionsListenRequestParams,
  SubscriptionsListenResult,
} from './subscriptions.ts';
import type { CallToolRequestParams, CallToolResult, ListToolsResult } from './tools.ts';

interface Demanding<Method extends string, Params> {
  method: Method;
  params: Params;
}
interface Plain<Method extends string, Params> {
  method: Method;
  params?: Params;
}

export type InitializeRequest = Demanding<'initialize', InitializeRequestParams>;
export type PingRequest = Plain<'ping', RequestParams>;
export type DiscoverRequest = Plain<'server/discover', RequestParams>;
export type CompleteRequest = Demanding<'completion/complete', CompleteRequestParams>;
export type CompleteRequestPrompt = CompleteRequest & { params: { ref: PromptReference } };
export type CompleteRequestResourceTemplate = CompleteRequest & {
  params: { ref: ResourceTemplateReference };
};
/** @deprecated The specification deprecates logging over the protocol; it works unchanged. */
export type SetLevelRequest = Demanding<'logging/setLevel', SetLevelRequestParams>;
export type GetPromptRequest = Demanding<'prompts/get', GetPromptRequestParams>;
export type ListPromptsRequest = Plain<'prompts/list', PaginatedRequestParams>;
export type ListResourcesRequest = Plain<'resources/list', PaginatedRequestParams>;
export type ListResourceTemplatesRequest = Plain<'resources/templates/list', PaginatedRequestParams>;
export type ReadResourceRequest = Demanding<'resources/read', ReadResourceRequestParams>;
export type SubscribeRequest = Demanding<'resources/subscribe', SubscribeRequestParams>;
export type UnsubscribeRequest = Demanding<'resources/unsubscribe', UnsubscribeRequestParams>;
export type SubscriptionsListenRequest = Demanding<'subscriptions/listen', SubscriptionsListenRequestParams>;
export type CallToolRequest = Demanding<'tools/call', CallToolRequestParams>;
export type ListToolsRequest = Plain<'tools/list', PaginatedRequestParams>;
/** @deprecated The specification deprecates sampling; it works unchanged. */
export type CreateMessageRequest = Demanding<'sampling/createMessage', CreateMessageRequestParams>;
export type ElicitRequest = Demanding<'elicitation/create', ElicitRequestParams>;
/** @deprecated The specification deprecates roots; they work unchanged. */
export type ListRootsRequest = Plain<'roots/list', RequestParams>;

/** What a client may ask. */
export type ClientRequest =
  | InitializeRequest
  | PingRequest
  | DiscoverRequest
  | CompleteRequest
  | SetLevelRequest
  | GetPromptRequest
  | ListPromptsRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | SubscribeRequest
  | UnsubscribeRequest
  | SubscriptionsListenRequest
  | CallToolRequest
  | ListToolsRequest;

/** What a server may ask, on a wire of its own or inside an interim answer. */
export type ServerRequest = PingRequest | CreateMessageRequest | ElicitRequest | ListRootsRequest;

export type CancelledNotification = Demanding<'notifications/cancelled', CancelledNotificationParams>;
export type ProgressNotification = Demanding<'notifications/progress', ProgressNotificationParams>;
export type InitializedNotification = Plain<'notifications/initialized', NotificationParams>;
/** @deprecated The specification deprecates roots; they work unchanged. */
export type RootsListChangedNotification = Plain<'notifications/roots/list_changed', NotificationParams>;
/** @deprecated The specification deprecates logging over the protocol; it works unchanged. */
export type LoggingMessageNotification = Demanding<'notifications/message', LoggingMessageNotificationParams>;
export type ResourceUpdatedNotification = Demanding<
  'notifications/resources/updated',
  ResourceUpdatedNotificationParams
>;
export type ResourceListChangedNotification = Plain<
  'notifications/resources/list_changed',
  NotificationParams
>;
export type ToolListChangedNotification = Plain<'notifications/tools/list_changed', NotificationParams>;
export type PromptListChangedNotification = Plain<'notifications/prompts/list_changed', NotificationParams>;
export type ElicitationCompleteNotification = Demanding<
  'notifications/elicitation/complete',
  ElicitationCompleteNotificationParams
>;
export type SubscriptionsAcknowledgedNotification = Demanding<
  'notifications/subscriptions/acknowledged',
  SubscriptionsAcknowledgedNotificationParams
>;

export type ClientNotification =
  | CancelledNotification
  | ProgressNotification
  | InitializedNotification
  | RootsListChangedNotification;

export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | LoggingMessageNotification
  | ResourceUpdatedNotification
  | ResourceListChangedNotification
  | ToolListChangedNotification
  | PromptListChangedNotification
  | ElicitationCompleteNotification
  | SubscriptionsAcknowledgedNotification;

/** The request of each method of the specification. */
export type RequestTypeMap = {
  [Message in ClientRequest | ServerRequest as Message['method']]: Message;
};
/** The notification of each method of the specification. */
export type NotificationTypeMap = {
  [Message in ClientNotification | ServerNotification as Message['method']]: Message;
};
export type RequestMethod = keyof RequestTypeMap;
export type NotificationMethod = keyof NotificationTypeMap;

/** What each method is answered with in the end. */
export interface ResultTypeMap {
  initialize: InitializeResult;
  ping: EmptyResult;
  'server/discover': DiscoverResult;
  'completion/complete': CompleteResult;
  'logging/setLevel': EmptyResult;
  'prompts/get': GetPromptResult;
  'prompts/list': ListPromptsResult;
  'resources/list': ListResourcesResult;
  'resources/templates/list': ListResourceTemplatesResult;
  'resources/read': ReadResourceResult;
  'resources/subscribe': EmptyResult;
  'resources/unsubscribe': EmptyResult;
  'subscriptions/listen': SubscriptionsListenResult;
  'tools/call': CallToolResult;
  'tools/list': ListToolsResult;
  'sampling/createMessage': CreateMessageResult;
  'elicitation/create': ElicitResult;
  'roots/list': ListRootsResult;
}

/** Whatever a client answers. */
export type ClientResult = EmptyResult | CreateMessageResult | ElicitResult | ListRootsResult;

/** Whatever a server answers. */
export type ServerResult =
  | ResultTypeMap[Exclude<RequestMethod, ServerRequest['method']>]
  | EmptyResult
  | InputRequiredResult;

/** What a handler of each method may return: some may ask for input first. */
export type HandlerResultTypeMap = {
  [Method in keyof ResultTypeMap]: Method extends 'tools/call' | 'prompts/get' | 'resources/read'
    ? ResultTypeMap[Method] | InputRequiredResult
    : ResultTypeMap[Method];
};
