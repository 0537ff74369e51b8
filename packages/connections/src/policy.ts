/** How a connection comes back by itself. */
export interface ReconnectPolicy {
  /** Wait before the first try, milliseconds. */
  readonly firstDelayMs: number;
  /** Longest wait, milliseconds. */
  readonly maxDelayMs: number;
  /** Each wait is this many times the one before. */
  readonly factor: number;
  /** Waits differ by up to this share up and down, so that many connections do not come at once. */
  readonly jitter: number;
  /** After this long in service the next wait is the first one again, milliseconds. */
  readonly steadyAfterMs: number;
  /** How long opening may take in all, milliseconds. */
  readonly connectTimeoutMs: number;
  /**
   * What follows a failed opening as long as the connection has not served since somebody asked for it:
   * the waits above by default, a fixed wait in milliseconds, or nothing.
   */
  readonly firstTries?: 'back_off' | 'none' | number;
  /** Whether a connection that served is made anew by itself; true by default. */
  readonly comesBack?: boolean;
  /** Stop for good after so many ends within a time; left out: never. */
  readonly crashLimit?: { readonly count: number; readonly withinMs: number };
}

/** For servers somebody else runs: they come back whenever they are there again. */
export const REMOTE_POLICY: ReconnectPolicy = {
  firstDelayMs: 1_000,
  maxDelayMs: 60_000,
  factor: 2,
  jitter: 0.2,
  steadyAfterMs: 60_000,
  connectTimeoutMs: 30_000,
};

/** For children of ours: one that keeps dying is left alone after the fifth time (K33). */
export const PROCESS_POLICY: ReconnectPolicy = {
  ...REMOTE_POLICY,
  connectTimeoutMs: 60_000,
  crashLimit: { count: 5, withinMs: 600_000 },
};

/**
 * The wait before a try.
 *
 * @param attempt tries that failed in a row before this one, 1 for the first wait
 * @param random a number from 0 (included) to 1 (excluded) that decides the jitter
 * @returns milliseconds
 */
export function backOffMs(policy: ReconnectPolicy, attempt: number, random: number): number {
  const exponent = Math.min(Math.max(attempt, 1) - 1, 30);
  const plainMs = Math.min(policy.firstDelayMs * policy.factor ** exponent, policy.maxDelayMs);
  return Math.round(plainMs * (1 + policy.jitter * (2 * random - 1)));
}

/**
 * The wait before the next try.
 *
 * @param served whether the connection was in service since somebody asked for it
 * @returns milliseconds, or nothing when there is no next try
 */
export function nextTryMs(
  policy: ReconnectPolicy,
  { served, step, random }: { readonly served: boolean; readonly step: number; readonly random: number },
): number | undefined {
  if (served) return policy.comesBack === false ? undefined : backOffMs(policy, step, random);
  const { firstTries = 'back_off' } = policy;
  if (firstTries === 'none') return undefined;
  return firstTries === 'back_off' ? backOffMs(policy, step, random) : firstTries;
}
