import type { McpServerStatus } from './mcp-servers.ts';
import type { SDKMessage } from './messages.ts';
import type { PermissionMode } from './permissions.ts';

export type SlashCommand = {
  name: string;
  description: string;
  argumentHint: string;
};

export type ModelInfo = {
  value: string;
  displayName: string;
  description: string;
};

/** A running query: its messages, and the controls that work while it runs. */
export interface Query extends AsyncGenerator<SDKMessage, void> {
  /** Stops the running turn and settles when it has ended; changes nothing between turns. */
  interrupt(): Promise<void>;
  /** Holds from the next permission check on. */
  setPermissionMode(mode: PermissionMode): Promise<void>;
  /** Holds from the next model request on; without a name, back to the model of the start. */
  setModel(model?: string): Promise<void>;
  supportedCommands(): Promise<SlashCommand[]>;
  supportedModels(): Promise<ModelInfo[]>;
  mcpServerStatus(): Promise<McpServerStatus[]>;
}
