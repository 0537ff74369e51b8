import type { ContentBlockParam } from '@anthropic-ai/sdk/resources';
import type { BetaRawMessageStreamEvent } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ApiKeySource } from '../contract/messages.ts';
import type { ModelInfo } from '../contract/query.ts';

/** A tool as the model sees it. */
export interface ModelTool {
  /** At most 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema with an object at the root. */
  readonly input_schema: { readonly type: 'object'; readonly [keyword: string]: unknown };
}

/** A message whose content is always a list of blocks. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlockParam[];
}

/** One question to the model. */
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  /** Starts with a user message; roles alternate; every tool use is answered. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  /** Tokens the model may think; absent: no thinking. */
  readonly thinkingBudgetTokens?: number;
}

/** A sign of life between events. */
export interface ModelPing {
  readonly type: 'ping';
}

/** The events of a Messages stream, in their order. */
export type ModelStreamEvent = BetaRawMessageStreamEvent | ModelPing;

/**
 * Where answers come from. The loop owns retries: a provider asks once and rejects with an
 * AgentError whose code is one of the `provider_…` codes; anything else counts as
 * `provider_unreachable`. When `signal` fires it stops reading; what it throws then is ignored.
 */
export interface ModelProvider {
  readonly name: string;
  /** Used when the query names no model. */
  readonly defaultModel?: string;
  /** Shown in `init`; default `user`. */
  readonly apiKeySource?: ApiKeySource;
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelStreamEvent>;
  /** Models one can choose; may reject. */
  models?(): Promise<ModelInfo[]>;
}
