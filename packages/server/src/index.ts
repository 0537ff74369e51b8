export type { ClientView, ServerContext, ServerRequestScope } from './context.ts';
export type { Caller, LegacySession } from './caller.ts';
export { completable } from './completable.ts';
export type { CompleteCallback } from './completable.ts';
export type { HttpDetails, RequestChannel, SubscriptionSlots } from './channel.ts';
export { ServerConnection } from './connection.ts';
export type { ConnectionOptions } from './connection.ts';
export type { HandledRequest, ServerRequestHandler } from './dispatcher.ts';
export { SERVER_ERRORS, ServerError } from './errors.ts';
export type { ServerErrorCode } from './errors.ts';
export { createMcpHandler } from './http/create-mcp-handler.ts';
export type {
  CreateMcpHandlerOptions,
  McpHandlerRequestOptions,
  McpHttpHandler,
} from './http/create-mcp-handler.ts';
export type { EventId, EventStore, StreamId } from './http/event-store.ts';
export type { EventSink, EventStream } from './http/event-stream.ts';
export type { ResponseMode } from './http/exchange.ts';
export type { McpRequestContext, McpServerFactory } from './http/handler-target.ts';
export type { HostGuardOptions } from './http/host-guard.ts';
export { bodyTooLarge } from './http/http-message.ts';
export type { HttpAnswer, HttpRequest } from './http/http-message.ts';
export { classifyInboundRequest } from './http/inbound-classification.ts';
export type {
  InboundClassificationOutcome,
  InboundHttpRequest,
  InboundLadderRejection,
  InboundLegacyRoute,
  InboundLegacyRouteReason,
  InboundModernRoute,
  InboundValidationRung,
  MessageClassification,
} from './http/inbound-classification.ts';
export { isJsonContentType } from './http/read-messages.ts';
export type { SessionOptions } from './http/sessions.ts';
export { acceptedContent, inputRequired, inputResponse } from './input-required.ts';
export type {
  ElicitInput,
  InputRequiredBuilder,
  InputRequiredSpec,
  InputResponseView,
} from './input-required.ts';
export { McpServer } from './mcp/mcp-server.ts';
export type { McpServerOptions, ResourceConfig } from './mcp/mcp-server.ts';
export type { PromptCallback, PromptConfig, RegisteredPrompt } from './mcp/prompt-handlers.ts';
export type { CacheHint } from './cache-hint.ts';
export type {
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredResource,
  RegisteredResourceTemplate,
  ResourceMetadata,
} from './mcp/resource-registration.ts';
export type { RegisteredTool, ToolCallback, ToolConfig } from './mcp/tool-registration.ts';
export type { InputRequiredOptions, VerifyRequestState } from './multi-round.ts';
export { ResourceTemplate } from './resource-template.ts';
export type { ListResourcesCallback, ResourceTemplateCallbacks } from './resource-template.ts';
export { createSchemaCompiler } from './schema/schema-compiler.ts';
export type { CompiledSchema, SchemaCompiler, SchemaDirection } from './schema/schema-compiler.ts';
export type {
  InferArguments,
  JsonSchema,
  SchemaDefinition,
  StandardSchema,
} from './schema/standard-schema.ts';
export { Server } from './server.ts';
export type { ServerNotificationHandler, ServerOptions } from './server.ts';
export { mergeCapabilities } from './server-capabilities.ts';
export { InMemoryServerEventBus } from './server-events.ts';
export type { ServerEvent, ServerEventBus, ServerNotifier } from './server-events.ts';
export { UriTemplate } from './uri-template.ts';
export type { Variables } from './uri-template.ts';
