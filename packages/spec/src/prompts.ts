import type {
  BaseMetadata,
  CacheableResult,
  Icons,
  MetaObject,
  PaginatedResult,
  RequestParams,
  Result,
  Role,
} from './base.ts';
import type { ContentBlock } from './content.ts';
import type { InputResponseRequestParams } from './input-required.ts';

export interface PromptArgument extends BaseMetadata {
  description?: string;
  required?: boolean;
}

export interface Prompt extends BaseMetadata, Icons {
  description?: string;
  arguments?: PromptArgument[];
  _meta?: MetaObject;
}

export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  prompts: Prompt[];
}

export interface GetPromptRequestParams extends InputResponseRequestParams {
  name: string;
  arguments?: { [key: string]: string };
}

export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}

export interface PromptReference extends BaseMetadata {
  type: 'ref/prompt';
}

export interface ResourceTemplateReference {
  type: 'ref/resource';
  /** A URI or a URI template. */
  uri: string;
}

export interface CompleteRequestParams extends RequestParams {
  ref: PromptReference | ResourceTemplateReference;
  argument: { name: string; value: string };
  /** Arguments that are settled already. */
  context?: { arguments?: { [key: string]: string } };
}

export interface CompleteResult extends Result {
  completion: {
    /** At most 100. */
    values: string[];
    total?: number;
    hasMore?: boolean;
  };
}
