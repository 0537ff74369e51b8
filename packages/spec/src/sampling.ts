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

export interface ModelHint {
  name?: string;
}

export interface ModelPreferences {
  hints?: ModelHint[];
  /** From 0 to 1. */
  costPriority?: number;
  /** From 0 to 1. */
  speedPriority?: number;
  /** From 0 to 1. */
  intelligencePriority?: number;
}

export interface ToolChoice {
  mode?: 'auto' | 'required' | 'none';
}

export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

export interface SamplingMessage {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: MetaObject;
}

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

export interface CreateMessageResult extends Result {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a provider's own word. */
  stopReason?: string;
}

export interface Root {
  /** A file: URI. */
  uri: string;
  name?: string;
  _meta?: MetaObject;
}

export interface ListRootsResult extends Result {
  roots: Root[];
}
