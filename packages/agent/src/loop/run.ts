import type { Clock } from '@portico/rpc';
import type { ApiKeySource, SDKMessage, SDKPermissionDenial } from '../contract/messages.ts';
import type { Options } from '../contract/options.ts';
import type { HookCaller } from '../hooks/run-hooks.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { PermissionState } from '../permissions/permission-state.ts';
import type { PorticoOptions } from '../portico-options.ts';
import type { ModelProvider } from '../provider/model-provider.ts';
import type { SessionLog } from '../session/session-log.ts';
import type { ToolCatalog } from '../tools/tool-catalog.ts';
import type { NonNullableUsage } from '../contract/messages.ts';
import type { Prompt } from './prompt-feed.ts';
import type { UsageBook } from './usage.ts';

/** Why a turn's signal fired. */
type TurnStop =
  /** `interrupt()`, or a denial that interrupts. */
  | 'interrupted'
  /** The abort controller, `return()`, or the end of the query. */
  | 'closed';

/** Everything that one query's turns share. */
export interface Run {
  readonly options: Options;
  readonly portico: PorticoOptions;
  readonly provider: ModelProvider;
  readonly apiKeySource: ApiKeySource;
  readonly clock: Clock;
  readonly cwd: string;
  readonly session: SessionLog;
  readonly permissions: PermissionState;
  readonly hooks: HookCaller;
  readonly mcp: McpServers;
  readonly usageBook: UsageBook;
  /** Tools that the provider refused, by the name the model knows. */
  readonly refusedTools: Set<string>;
  /** The model of this moment. */
  model(): string;
  /** What can be offered at this moment. */
  catalog(): ToolCatalog;
  emit(message: SDKMessage, signal?: AbortSignal): Promise<void>;
  /** Prompts that arrived since the turn began. */
  arrivedPrompts(): Prompt[];
  warn(text: string): void;
}

/** What one turn adds up. */
interface TurnFigures {
  readonly startedAtMs: number;
  apiMs: number;
  modelTurns: number;
  usage: NonNullableUsage;
  readonly denials: SDKPermissionDenial[];
}

/** One turn: from a prompt to its result. */
export interface Turn {
  readonly signal: AbortSignal;
  readonly figures: TurnFigures;
  /** Set when the fallback model has taken over. */
  model: string | undefined;
  /** Texts of hooks that wait for the next request. */
  readonly contexts: string[];
  stop(why: TurnStop): void;
}
