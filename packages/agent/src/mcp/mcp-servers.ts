import type { McpServerStatus } from '../contract/mcp-servers.ts';
import type { ToolSource } from '../tools/tool-source.ts';

/** The servers of one query. */
export interface McpServers {
  /** Their tools. */
  readonly sources: readonly ToolSource[];
  status(): McpServerStatus[];
  /** Settles when each server is connected, has failed or needs a sign-in. */
  settled(): Promise<void>;
  close(): Promise<void>;
}
