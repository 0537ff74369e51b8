import type { HeightBounds } from './view-frame.ts';

export const TOOL_CALL_TIMEOUT_MS = 600_000;
export const INLINE_MAX_WIDTH_PX = 768;
export const TEARDOWN_TIMEOUT_MS = 2_000;
/** How long a view may take from the loading of its sandbox until it is initialized. */
export const READY_TIMEOUT_MS = 30_000;
/** How long after its loading an outer document without an origin may take to say something. */
export const BLOCKED_AFTER_MS = 2_000;
/** How long a page may take to follow a wish for another mode. */
export const MODE_WAIT_MS = 1_000;
export const READ_TIMEOUT_MS = 60_000;
export const INLINE_HEIGHT: HeightBounds = { minPx: 40, maxPx: 800 };
export const EXIT_LABEL = 'Exit full screen';
