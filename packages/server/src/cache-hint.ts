import type { CacheScope } from '@portico/spec';
import { SERVER_ERRORS } from './errors.ts';

/** How long a modern client may keep an answer. */
export interface CacheHint {
  /** Milliseconds. */
  readonly ttlMs?: number;
  readonly cacheScope?: CacheScope;
}

/**
 * Refuses a hint that no client could follow. The official SDK throws a RangeError here and so does
 * this, with the code of the table.
 */
export function assertCacheHint(hint: CacheHint | undefined): void {
  const { ttlMs = 0, cacheScope = 'private' } = hint ?? {};
  if (ttlMs >= 0 && (cacheScope === 'private' || cacheScope === 'public')) return;
  const code = 'INVALID_CACHE_HINT';
  throw Object.assign(new RangeError(SERVER_ERRORS[code]), { code });
}
