import type { CallToolResult } from '@portico/spec';
import type { McpServerStatus } from '../contract/mcp-servers.ts';

/** A tool that the model may be offered. */
export interface AgentTool {
  /** `mcp__<server>__<tool>`, in the server's own spelling. */
  readonly name: string;
  /** The server's name, when `name` alone leaves doubt. */
  readonly server?: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema; read as untrusted. */
  readonly inputSchema: unknown;
  readonly annotations?: {
    /** Calls of such tools run side by side. */
    readonly readOnlyHint?: boolean;
    readonly [hint: string]: unknown;
  };
}

export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface ToolCallOptions {
  /** Fires when the result is no longer wanted; the call then need not settle. */
  readonly signal: AbortSignal;
  readonly toolUseId: string;
  readonly onProgress?: (progress: ToolProgress) => void;
}

/** Where tools come from. Owned by whoever passes it in; a query never closes it. */
export interface ToolSource {
  /** The tools of this moment; asked before every request to the model. */
  list(): readonly AgentTool[];
  /**
   * Runs one tool by its own name.
   * A rejection becomes an error result for the model and does not end the turn.
   */
  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: ToolCallOptions,
  ): Promise<CallToolResult>;
  /** The servers behind the tools, for `init` and `mcpServerStatus()`. */
  servers?(): readonly McpServerStatus[];
}
