import type { BaseMetadata, CacheableResult, Icons, MetaObject, PaginatedResult, Result } from './base.ts';
import type { ContentBlock } from './content.ts';
import type { InputResponseRequestParams } from './input-required.ts';
import type { TaskMetadata } from './tasks.ts';

/** What a tool says about its own behaviour; never to be trusted for safety decisions. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** Whether a tool can run as a task, in the revision 2025-11-25. */
export interface ToolExecution {
  taskSupport?: 'forbidden' | 'optional' | 'required';
}

/** A JSON Schema whose values are objects. */
export interface ObjectSchema {
  $schema?: string;
  type: 'object';
  properties?: { [key: string]: unknown };
  required?: string[];
  [key: string]: unknown;
}

export interface Tool extends BaseMetadata, Icons {
  description?: string;
  inputSchema: ObjectSchema;
  outputSchema?: { $schema?: string; [key: string]: unknown };
  annotations?: ToolAnnotations;
  execution?: ToolExecution;
  _meta?: MetaObject;
}

export interface ListToolsResult extends PaginatedResult, CacheableResult {
  tools: Tool[];
}

export interface CallToolRequestParams extends InputResponseRequestParams {
  name: string;
  arguments?: { [key: string]: unknown };
  /** Revision 2025-11-25 only. */
  task?: TaskMetadata;
}

/** What `tools/call` was answered with in revision 2024-10-07, beside what it is now. */
export type CompatibilityCallToolResult = CallToolResult | (Result & { toolResult: unknown });

export interface CallToolResult extends Result {
  content: ContentBlock[];
  /** Any JSON value in the modern era, an object before. */
  structuredContent?: unknown;
  /** True when the tool itself failed; its content then says why. */
  isError?: boolean;
}
