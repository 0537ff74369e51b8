import type { PorticoOptions } from '../portico-options.ts';
import type { HookCallbackMatcher, HookEvent } from './hooks.ts';
import type { McpServerConfig } from './mcp-servers.ts';
import type { CanUseTool, PermissionMode } from './permissions.ts';

/**
 * Options of a query. What this build cannot do yet is refused at the first `next()` with
 * AgentError `option_not_available`, never dropped in silence.
 */
export type Options = {
  /** Aborting it makes the generator reject with AbortError. */
  abortController?: AbortController;
  additionalDirectories?: string[];
  /** Allow rules: these calls run unasked. It restricts nothing. */
  allowedTools?: string[];
  appendSystemPrompt?: string;
  canUseTool?: CanUseTool;
  continue?: boolean;
  customSystemPrompt?: string;
  /** Default: the working directory of the process. */
  cwd?: string;
  /** Deny rules; a tool denied by its bare name is not offered to the model. */
  disallowedTools?: string[];
  env?: Record<string, string | undefined>;
  executable?: 'bun' | 'deno' | 'node';
  executableArgs?: string[];
  extraArgs?: Record<string, string | null>;
  /** Model that takes over after three overload answers in a row, for the rest of the turn. */
  fallbackModel?: string;
  /** With `resume`: go on under a new session id and leave the old record alone. */
  forkSession?: boolean;
  hooks?: Partial<Record<HookEvent, HookCallbackMatcher[]>>;
  /** Pass on raw stream events. */
  includePartialMessages?: boolean;
  /** Thinking budget in tokens, at least 1024; 0 or absent leaves thinking off. */
  maxThinkingTokens?: number;
  /** Most answers of the model in one turn. */
  maxTurns?: number;
  mcpServers?: Record<string, McpServerConfig>;
  model?: string;
  pathToClaudeCodeExecutable?: string;
  permissionMode?: PermissionMode;
  permissionPromptToolName?: string;
  /** Id of a kept session to go on with. */
  resume?: string;
  /** With `resume`: forget what came after the assistant message with this id or uuid. */
  resumeSessionAt?: string;
  /** Gets warnings, one line each. */
  stderr?: (data: string) => void;
  strictMcpConfig?: boolean;
  /** Everything that is Portico's own. */
  portico?: PorticoOptions;
};
