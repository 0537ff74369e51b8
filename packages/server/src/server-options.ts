import type { Clock, ReceiveLimits } from '@portico/rpc';
import type { RequestObserver, ServerCapabilities } from '@portico/spec';
import type { jsonSchemaValidator } from '@portico/spec/json-schema';
import type { CacheHint } from './cache-hint.ts';
import type { InputRequiredOptions, VerifyRequestState } from './multi-round.ts';
import type { WatchResource } from './resource-watches.ts';
import type { TaskOptions } from './tasks/task-service.ts';

/** How a server behaves. */
export interface ServerOptions {
  /** What the server offers; `McpServer` adds what is registered. */
  readonly capabilities?: ServerCapabilities;
  /** For the model: how to use this server. */
  readonly instructions?: string;
  /** Revisions to serve, newest first. Default: all that this package speaks. */
  readonly supportedProtocolVersions?: readonly string[];
  /**
   * Notifications without params of which several within one turn become one, by method: for
   * instance `notifications/tools/list_changed`.
   */
  readonly debouncedNotificationMethods?: readonly string[];
  /**
   * Told of each resource that a client begins to watch, by `resources/subscribe` or
   * `subscriptions/listen`, before the client is told that it does.
   */
  readonly watchResource?: WatchResource;
  /** How long modern clients may keep answers, by method. */
  readonly cacheHints?: Readonly<Record<string, CacheHint>>;
  /** Whether modern results say which server they come from; true by default. */
  readonly sendServerInfo?: boolean;
  readonly inputRequired?: InputRequiredOptions;
  /** Checks request state that clients hand back; without it the state is not to be trusted. */
  readonly requestState?: { readonly verify?: VerifyRequestState };
  /**
   * Checks plain JSON Schemas: of tools, prompts and forms. Default: Ajv on Node,
   * `@cfworker/json-schema` elsewhere.
   */
  readonly jsonSchemaValidator?: jsonSchemaValidator;
  /** The tasks extension: given at all, even empty, it is advertised and tools may start tasks. */
  readonly tasks?: TaskOptions;
  readonly clock?: Clock;
  /** Hears of each request of either side when it is over: what, how long, how it ended; never its content. */
  readonly observer?: RequestObserver;
  /** Overrides of the receive limits of connections. */
  readonly limits?: Partial<ReceiveLimits>;
  /** Milliseconds that requests to the client may take. Default 60 000. */
  readonly requestTimeoutMs?: number;
  /**
   * Progress and log messages that one call may send in a second; of those beyond, the newest is sent.
   * Default 100.
   */
  readonly maxReportsPerSecond?: number;
}
