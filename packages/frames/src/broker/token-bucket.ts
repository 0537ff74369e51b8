import type { Clock } from '@portico/rpc';

export interface TokenBucket {
  /** Takes one; 0 when there was one, else milliseconds until there will be. */
  take(): number;
}

/** @param options.perSecond refill; @param options.burst how many can pile up, and the first stock */
export function createTokenBucket(options: {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly burst: number;
}): TokenBucket {
  const { clock, perSecond, burst } = options;
  let tokens = burst;
  let lastMs = clock.now();
  return {
    take() {
      const nowMs = clock.now();
      // A clock that was set back refills nothing.
      tokens = Math.min(burst, tokens + (Math.max(0, nowMs - lastMs) * perSecond) / 1000);
      lastMs = nowMs;
      if (tokens < 1) return ((1 - tokens) * 1000) / perSecond;
      tokens -= 1;
      return 0;
    },
  };
}
