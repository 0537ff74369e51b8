/** Bounds on pages, the same in kernel and broker (the numbers are part of the rule list). */

/** Longest server or tool name, in UTF-16 units. */
export const MAX_NAME_LENGTH = 256;
/** Largest input of one call, in UTF-16 units of its JSON text (1 MiB of ASCII). */
export const MAX_INPUT_LENGTH = 1_048_576;
/** Deepest nesting of an input, in levels; the input itself is level 1. */
export const MAX_INPUT_DEPTH = 64;
/** A frame that nobody serves gives up after this, in milliseconds. */
export const UNSERVED_AFTER_MS = 10_000;
/** How long the kernel waits for an answer when the shell announced nothing, in milliseconds. */
export const DEFAULT_REPLY_BUDGET_MS = 130_000;
export const MIN_REPLY_BUDGET_MS = 1_000;
export const MAX_REPLY_BUDGET_MS = 600_000;
/** Largest hint for a repetition, in milliseconds. */
export const MAX_RETRY_AFTER_MS = 60_000;
/** Freshness that a call may ask for, in milliseconds. */
export const MAX_STALE_TIME_MS = 300_000;
/** Lifetime of a stored result that a call may ask for, in milliseconds. */
export const MAX_GC_TIME_MS = 86_400_000;

/** Bounds that only the broker keeps. */
export interface FrameLimits {
  /** Largest message of a frame, in UTF-16 units. Default: an input at its limit and its envelope. */
  readonly maxMessageLength: number;
  /** Largest result sent to a frame, in UTF-16 units of its JSON text. Default 8 MiB of ASCII. */
  readonly maxResultLength: number;
  /** Messages a second that may go on for ever. Default 100. */
  readonly messagesPerSecond: number;
  /** Messages that may come at once after a pause. Default 500. */
  readonly messageBurst: number;
  /** Calls that may be open at once. Default 256. */
  readonly maxPending: number;
  /** Refused messages in a row after which the frame loses its session. Default 20 000. */
  readonly maxRefusedInRow: number;
}

export const DEFAULT_FRAME_LIMITS: FrameLimits = {
  maxMessageLength: MAX_INPUT_LENGTH + 4_096,
  maxResultLength: 8 * 1_048_576,
  messagesPerSecond: 100,
  messageBurst: 500,
  maxPending: 256,
  maxRefusedInRow: 20_000,
};
