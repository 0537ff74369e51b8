import type { Clock, Transport } from '@portico/rpc';
import type { McpServerConfig } from './contract/mcp-servers.ts';
import type { AgentError, ProviderErrorCode } from './errors.ts';
import type { ModelProvider } from './provider/model-provider.ts';
import type { SessionStore } from './session/session-store.ts';
import type { ToolSource } from './tools/tool-source.ts';

/** Told before the loop waits to ask the provider again. */
export interface RetryNotice {
  /** 1 for the first repetition. */
  readonly attempt: number;
  readonly maxRetries: number;
  readonly waitMs: number;
  readonly error: AgentError<ProviderErrorCode>;
}

/** Dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Settings that only Portico has. None of the callbacks may throw; what they throw is a warning. */
export interface PorticoOptions {
  /** Default: the Anthropic provider with the credentials found in `options.env`. */
  readonly provider?: ModelProvider;
  /** Tools beside those of `mcpServers`. */
  readonly toolSources?: readonly ToolSource[];
  /** Default: nothing is kept beyond the query. */
  readonly sessionStore?: SessionStore;
  /** Goes on with this session when the store knows it, else starts it under this id. */
  readonly sessionId?: string;
  /** Default: the system's time. */
  readonly clock?: Clock;
  /** Most tokens of one answer, default 8192. */
  readonly maxOutputTokens?: number;
  /** Repetitions of a request that met 429 or a server error, default 3. */
  readonly maxRetries?: number;
  /** Longest silence of an answering provider in milliseconds, default 60 000. */
  readonly silenceLimitMs?: number;
  /** Most characters of text in one tool result, default 100 000. */
  readonly maxMcpOutputChars?: number;
  /** Time limit of one hook in milliseconds, default 60 000. */
  readonly hookTimeoutMs?: number;
  /** Prices by model name, or by the beginning of a name; a model without one costs 0. */
  readonly prices?: Readonly<Record<string, ModelPrice>>;
  readonly mcp?: {
    /** Most time of one call in milliseconds, default 60 000; progress starts it anew. */
    readonly callTimeoutMs?: number;
    /** Most time until a server must be connected, in milliseconds, default 30 000. */
    readonly startupTimeoutMs?: number;
    /** How long `init` waits for servers, in milliseconds, default 5000. */
    readonly initWaitMs?: number;
  };
  /** Opens the channel to a server of `mcpServers`; replaces our own stdio and HTTP channels. */
  readonly createTransport?: (name: string, config: McpServerConfig) => Transport | Promise<Transport>;
  /** Told once when the provider fails for good, before the turn's result. */
  readonly onProviderError?: (error: AgentError<ProviderErrorCode>) => void;
  readonly onRetry?: (notice: RetryNotice) => void;
}
