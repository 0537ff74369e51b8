export { AGENT_ERRORS, AgentError, isAgentError, isProviderError } from '../errors.ts';
export type { AgentErrorCode, AgentErrorData, ProviderErrorCode, ProviderFailureData } from '../errors.ts';
export type {
  ModelMessage,
  ModelPing,
  ModelProvider,
  ModelRequest,
  ModelStreamEvent,
  ModelTool,
} from './model-provider.ts';
export type { AgentTool, ToolCallOptions, ToolProgress, ToolSource } from '../tools/tool-source.ts';
export { modelToolName } from '../tools/tool-names.ts';
