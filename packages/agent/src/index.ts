export { EXIT_REASONS, HOOK_EVENTS } from './contract/hooks.ts';
export type {
  AsyncHookJSONOutput,
  BaseHookInput,
  ExitReason,
  HookCallback,
  HookCallbackMatcher,
  HookEvent,
  HookInput,
  HookJSONOutput,
  NotificationHookInput,
  PostToolUseHookInput,
  PreCompactHookInput,
  PreToolUseHookInput,
  SessionEndHookInput,
  SessionStartHookInput,
  StopHookInput,
  SubagentStopHookInput,
  SyncHookJSONOutput,
  UserPromptSubmitHookInput,
} from './contract/hooks.ts';
export type {
  ConfigScope,
  McpHttpServerConfig,
  McpSSEServerConfig,
  McpSdkServerConfig,
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  McpServerConfigForProcessTransport,
  McpServerStatus,
  McpStdioServerConfig,
} from './contract/mcp-servers.ts';
export type {
  ApiKeySource,
  ModelUsage,
  NonNullableUsage,
  SDKAssistantMessage,
  SDKCompactBoundaryMessage,
  SDKMessage,
  SDKMessageBase,
  SDKPartialAssistantMessage,
  SDKPermissionDenial,
  SDKResultMessage,
  SDKSystemMessage,
  SDKUserMessage,
  SDKUserMessageReplay,
} from './contract/messages.ts';
export type { Options } from './contract/options.ts';
export type {
  CanUseTool,
  PermissionBehavior,
  PermissionMode,
  PermissionResult,
  PermissionRuleValue,
  PermissionUpdate,
} from './contract/permissions.ts';
export type { ModelInfo, Query, SlashCommand } from './contract/query.ts';
export { AbortError } from './errors.ts';
export type { AgentError, AgentErrorCode, ProviderErrorCode } from './errors.ts';
export { createSdkMcpServer, tool } from './mcp/sdk-server.ts';
export type { ModelPrice, PorticoOptions, RetryNotice } from './portico-options.ts';
export { query } from './query.ts';
export type { ModelProvider } from './provider/model-provider.ts';
export type { SessionEntry, SessionStore } from './session/session-store.ts';
export type { AgentTool, ToolCallOptions, ToolSource } from './tools/tool-source.ts';
