/** Bounds on what a peer may send. Every one is checked before the content is used. */
export interface ReceiveLimits {
  /** Largest single message, in bytes of UTF-8. Default 4 MiB. */
  readonly maxMessageBytes: number;
  /** Deepest nesting of arrays and objects, in levels; the message itself is level 1. Default 512. */
  readonly maxDepth: number;
  /** Requests of the peer that may be open at once. Default 1000. */
  readonly maxPending: number;
  /** Messages in one JSON-RPC array, where arrays are accepted at all. Default 100. */
  readonly maxBatch: number;
}

export const DEFAULT_RECEIVE_LIMITS: ReceiveLimits = {
  maxMessageBytes: 4 * 1024 * 1024,
  maxDepth: 512,
  maxPending: 1000,
  maxBatch: 100,
};

/** The defaults with some of them replaced. */
export function receiveLimits(overrides: Partial<ReceiveLimits> = {}): ReceiveLimits {
  return { ...DEFAULT_RECEIVE_LIMITS, ...overrides };
}

/** Time limit of a request, in milliseconds, unless the peer or the call has another. */
export const DEFAULT_REQUEST_TIMEOUT_MSEC = 60_000;
