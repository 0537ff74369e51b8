import type { MetaObject, RequestParams, Result, Role } from './base.ts';
import type {
  AudioContent,
  ImageContent,
  TextContent,
  ToolResultContent,
  ToolUseContent,
} from './content.ts';
import type { TaskMetadata } from './tasks.ts';
import type { Tool } from './tools.ts';

/** @deprecated The specification deprecates sampling; it works unchanged. */
export interface ModelHint {
  name?: string;
}

/** @deprecated The specification deprecates sampling; it works unchanged. */
export interface ModelPreferences {
  hints?: ModelHint[];
  /** From 0 to 1. */
  costPriority?: number;
  /** From 0 to 1. */
  speedPriority?: number;
  /** From 0 to 1. */
  intelligencePriority?: number;
}

/** @deprecated The specification deprecates sampling; it works unchanged. */
export interface ToolChoice {
  mode?: 'auto' | 'required' | 'none';
}

/** @deprecated The specification deprecates sampling; it works unchanged. */
export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

/** @deprecated The specification deprecates sampling; it works unchanged. */
export interface SamplingMessage {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: MetaObject;
}

/** @deprecated The specification deprecates sampling; it works unchanged. */
export interface CreateMessageRequestParams extends RequestParams {
  messages: SamplingMessage[];
  modelPreferences?: ModelPreferences;
  systemPrompt?: string;
  includeContext?: 'none' | 'thisServer' | 'allServers';
  temperature?: number;
  maxTokens: number;
  stopSequences?: string[];
  metadata?: { [key: string]: unknown };
  tools?: Tool[];
  toolChoice?: ToolChoice;
  /** Revision 2025-11-25 only. */
  task?: TaskMetadata;
}

/** @deprecated The specification deprecates sampling; it works unchanged. */
export interface CreateMessageResult extends Result {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a provider's own word. */
  stopReason?: string;
}

/** @deprecated The specification deprecates sampling; it works unchanged. */
export type SamplingContent = TextContent | ImageContent | AudioContent;

/** @deprecated The specification deprecates sampling; it works unchanged. */
export type CreateMessageRequestParamsBase = Omit<CreateMessageRequestParams, 'tools' | 'toolChoice'>;

/** @deprecated The specification deprecates sampling; it works unchanged. */
export interface CreateMessageRequestParamsWithTools extends CreateMessageRequestParams {
  tools: Tool[];
}

/** @deprecated The specification deprecates sampling; it works unchanged. */
export type CreateMessageResultWithTools = CreateMessageResult;

/** @deprecated The specification deprecates roots; they work unchanged. */
export interface Root {
  /** A file: URI. */
  uri: string;
  name?: string;
  _meta?: MetaObject;
}

/** @deprecated The specification deprecates roots; they work unchanged. */
export interface ListRootsResult extends Result {
  roots: Root[];
}
