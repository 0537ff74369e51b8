/** How a broken stream is opened again. */
export interface StreamableHTTPReconnectionOptions {
  /** Milliseconds before the first try; 1,000 by default. A wait that the server names wins. */
  readonly initialReconnectionDelay: number;
  /** Longest wait of this side's own choosing, milliseconds; 30,000 by default. */
  readonly maxReconnectionDelay: number;
  /** Each wait is this many times the one before; 1.5 by default. */
  readonly reconnectionDelayGrowFactor: number;
  /** Tries in a row that may bring nothing; 2 by default. */
  readonly maxRetries: number;
}

/**
 * Decides when a broken stream is opened again, in place of a timer: calls `reconnect` once, sooner or
 * later. May return what calls the plan off when the stream is no longer wanted. Must not throw.
 *
 * @param delay milliseconds that the timer would have waited
 * @param attemptCount tries in a row that brought nothing, 0 at first
 */
// The `void` lets a scheduler have no return statement at all, as in the official SDK.
export type ReconnectionScheduler = (
  reconnect: () => void,
  delay: number,
  attemptCount: number,
) => (() => void) | void;

/** When broken streams are opened again. */
export interface Reconnection {
  readonly options: StreamableHTTPReconnectionOptions;
  readonly scheduler: ReconnectionScheduler | undefined;
}

export const DEFAULT_RECONNECTION: StreamableHTTPReconnectionOptions = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 2,
};
