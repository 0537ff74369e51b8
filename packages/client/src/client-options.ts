import type { Clock, ReceiveLimits } from '@portico/rpc';
import type { ClientCapabilities, ListChangedHandlers, RequestObserver } from '@portico/spec';
import type { jsonSchemaValidator } from '@portico/spec/json-schema';
import type { EraStore, PriorDiscovery } from './era-store.ts';
import type { InputRequiredOptions } from './input-required.ts';
import type { VersionNegotiationOptions } from './negotiation.ts';
import type { RequestOptions } from './request-options.ts';
import type { ParamHeaderOptions } from './tool-catalogue.ts';
import type { ResponseCacheStore } from './response-cache-store.ts';

/** What a connection is made with. */
export interface ConnectionOptions {
  /** What this side can do for servers; nothing by default. */
  readonly capabilities?: ClientCapabilities;
  readonly versionNegotiation?: VersionNegotiationOptions;
  /** Restricts and orders the revisions that are spoken; all of them by default, newest first. */
  readonly supportedProtocolVersions?: readonly string[];
  /** Lets `auto` connections skip the question that finds out the era. Nothing is remembered by default. */
  readonly eraStore?: EraStore;
  /** Whether modern requests say who asks; true by default. */
  readonly sendClientInfo?: boolean;
  readonly clock?: Clock;
  /** Hears of each request of either side when it is over: what, how long, how it ended; never its content. */
  readonly observer?: RequestObserver;
  /** Overrides of the receive limits. */
  readonly limits?: Partial<ReceiveLimits>;
  readonly inputRequired?: InputRequiredOptions;
  /**
   * Checks every request against what the server declared, also those of `request`; list calls then
   * reject, too, when the server has no such list, instead of resolving empty.
   */
  readonly enforceStrictCapabilities?: boolean;
  /** Notifications without params of which one is sent for all of one tick, by method. */
  readonly debouncedNotificationMethods?: readonly string[];
}

/** How a client behaves. */
export interface ClientOptions extends ConnectionOptions {
  /** Pages of one list walk; 64 by default, 0 = no limit. */
  readonly listMaxPages?: number;
  /** Hears of changed lists and, unless told otherwise, reads them. */
  readonly listChanged?: ListChangedHandlers;
  readonly paramHeaders?: ParamHeaderOptions;
  /**
   * Checks the structured results of tools against their output schemas; Ajv on Node and an interpreter
   * elsewhere by default.
   */
  readonly jsonSchemaValidator?: jsonSchemaValidator;
  /** Where answers are kept; a store of this client alone by default, emptied with each connection. */
  readonly responseCacheStore?: ResponseCacheStore;
  /** Whose private answers these are, in a store that several share; the empty text by default. */
  readonly cachePartition?: string;
  /** Milliseconds that answers without a hint stay fresh; 0 by default. */
  readonly defaultCacheTtlMs?: number;
}

/** What can be said about one connecting. */
export interface ConnectOptions extends RequestOptions {
  /**
   * What is known of the server, in place of finding it out: a modern description opens the connection
   * without sending anything. Whoever stores it looks after its age; it belongs to one authorization
   * context.
   */
  readonly prior?: PriorDiscovery | undefined;
}
