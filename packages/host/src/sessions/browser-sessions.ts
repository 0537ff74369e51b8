import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';
import type { SessionStore } from '../ports/stores.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A session ends after 7 days without a request, in milliseconds. */
const SESSION_IDLE_MS = 7 * DAY_MS;

/** A session ends 30 days after it began, in milliseconds. */
const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** The last use is written at most once in this time (ms), so that not every request is a write. */
const TOUCH_EVERY_MS = 60_000;

/** 256 bits. */
const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** Lasting sessions of browsers. Tokens are random; only their hash is stored (K112). */
export interface BrowserSessions {
  /** Starts a session and answers its token, which goes into the cookie. */
  create(): Promise<string>;
  /** Whether the token names a living session; notes the use. False for a malformed token. */
  verify(token: string): Promise<boolean>;
}

export interface BrowserSessionOptions {
  readonly store: SessionStore;
  readonly clock: Clock;
}

export function createBrowserSessions(options: BrowserSessionOptions): BrowserSessions {
  const { store, clock } = options;
  return {
    async create() {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const nowMs = clock.now();
      await store.prune({
        createdBeforeMs: nowMs - SESSION_LIFETIME_MS,
        seenBeforeMs: nowMs - SESSION_IDLE_MS,
      });
      await store.put({ tokenHash: hashOf(token), createdAtMs: nowMs, lastSeenAtMs: nowMs });
      return token;
    },
    async verify(token) {
      if (!TOKEN_SHAPE.test(token)) return false;
      const session = await store.get(hashOf(token));
      if (session === undefined) return false;
      const nowMs = clock.now();
      const over =
        nowMs - session.lastSeenAtMs >= SESSION_IDLE_MS || nowMs - session.createdAtMs >= SESSION_LIFETIME_MS;
      if (over) {
        await store.remove(session.tokenHash);
        return false;
      }
      if (nowMs - session.lastSeenAtMs >= TOUCH_EVERY_MS) {
        await store.put({ ...session, lastSeenAtMs: nowMs });
      }
      return true;
    },
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
