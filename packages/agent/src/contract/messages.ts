import type { UUID } from 'node:crypto';
import type { MessageParam as APIUserMessage } from '@anthropic-ai/sdk/resources';
import type {
  BetaMessage as APIAssistantMessage,
  BetaRawMessageStreamEvent as RawMessageStreamEvent,
  BetaUsage as Usage,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { PermissionMode } from './permissions.ts';

/** The usage of an answer or a turn with every figure present. */
export type NonNullableUsage = {
  [Field in keyof Usage]: NonNullable<Usage[Field]>;
};

/** What one model cost over the whole query. */
export type ModelUsage = {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  webSearchRequests: number;
  costUSD: number;
  /** Tokens; 0 when the provider does not say. */
  contextWindow: number;
};

/** Where the provider's credentials come from. */
export type ApiKeySource = 'user' | 'project' | 'org' | 'temporary';

export type SDKMessageBase = {
  uuid: UUID;
  session_id: string;
};

type UserMessageContent = {
  type: 'user';
  message: APIUserMessage;
  parent_tool_use_id: string | null;
  /** Present on messages that the loop wrote itself. */
  isSynthetic?: boolean;
};

export type SDKUserMessage = UserMessageContent & {
  uuid?: UUID;
  session_id: string;
};

export type SDKUserMessageReplay = SDKMessageBase & UserMessageContent;

/** One content block of a model's answer; all blocks of one answer share `message.id`. */
export type SDKAssistantMessage = SDKMessageBase & {
  type: 'assistant';
  message: APIAssistantMessage;
  parent_tool_use_id: string | null;
};

/** A call that was not run, with the input as the model gave it. */
export type SDKPermissionDenial = {
  tool_name: string;
  tool_use_id: string;
  tool_input: Record<string, unknown>;
};

type ResultFigures = SDKMessageBase & {
  type: 'result';
  duration_ms: number;
  duration_api_ms: number;
  is_error: boolean;
  num_turns: number;
  total_cost_usd: number;
  usage: NonNullableUsage;
  modelUsage: { [modelName: string]: ModelUsage };
  permission_denials: SDKPermissionDenial[];
};

/** The last message of a turn. */
export type SDKResultMessage =
  | (ResultFigures & { subtype: 'success'; result: string })
  | (ResultFigures & { subtype: 'error_max_turns' | 'error_during_execution' });

/** The first message of a turn: what it runs with. */
export type SDKSystemMessage = SDKMessageBase & {
  type: 'system';
  subtype: 'init';
  agents?: string[];
  apiKeySource: ApiKeySource;
  cwd: string;
  tools: string[];
  mcp_servers: { name: string; status: string }[];
  model: string;
  permissionMode: PermissionMode;
  slash_commands: string[];
  output_style: string;
};

/** A raw event of the answer that is arriving. */
export type SDKPartialAssistantMessage = SDKMessageBase & {
  type: 'stream_event';
  event: RawMessageStreamEvent;
  parent_tool_use_id: string | null;
};

export type SDKCompactBoundaryMessage = SDKMessageBase & {
  type: 'system';
  subtype: 'compact_boundary';
  compact_metadata: { trigger: 'manual' | 'auto'; pre_tokens: number };
};

export type SDKMessage =
  | SDKAssistantMessage
  | SDKUserMessage
  | SDKUserMessageReplay
  | SDKResultMessage
  | SDKSystemMessage
  | SDKPartialAssistantMessage
  | SDKCompactBoundaryMessage;
