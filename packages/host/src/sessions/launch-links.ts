import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';

/** How long a launch link works: 10 minutes, in milliseconds. */
const LAUNCH_LINK_LIFETIME_MS = 10 * 60_000;

/** Links that wait at the same time; beyond it the oldest stops working. */
const MAX_WAITING = 100;

/** 192 bits, so that a link cannot be guessed. */
const TOKEN_BYTES = 24;

/** One-use tokens that turn into a browser session (K112). */
export interface LaunchLinks {
  /** A fresh token; it works for 10 minutes. */
  issue(): string;
  /** True exactly once for a token that was issued and still works. */
  redeem(token: string): boolean;
}

/**
 * Tokens of launch links. Kept in memory only, and hashed: a restart voids them all.
 *
 * @param clock decides when a link is too old
 */
export function createLaunchLinks(clock: Clock): LaunchLinks {
  /** SHA-256 of the token → moment (epoch ms) at which it stops working, oldest first. */
  const waiting = new Map<string, number>();
  const dropOld = (): void => {
    for (const [hash, expiresAtMs] of waiting) {
      if (expiresAtMs > clock.now() && waiting.size <= MAX_WAITING) return;
      waiting.delete(hash);
    }
  };
  return {
    issue() {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      waiting.set(hashOf(token), clock.now() + LAUNCH_LINK_LIFETIME_MS);
      dropOld();
      return token;
    },
    redeem(token) {
      dropOld();
      return waiting.delete(hashOf(token));
    },
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
